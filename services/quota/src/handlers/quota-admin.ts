import type { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import { auditAttribution, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import { personHash, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { toWireTransition } from '@knowledge/runtime/wire';
import type { Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { isLonger, type Subject, subjectDigest } from '../domain/subject.js';
import type { SubjectEntry, SubjectLog } from '../store/subject-log.js';
import type { UsedUpDays } from '../used-up/store/used-up-days.js';
import { requireSubject, toWireAllowance, toWireLimit } from './wire.js';

/** The parts of the handlers for support. Each use is stored with actor, reason and a hash of the subject. */
export interface QuotaAdminDependencies {
  readonly quota: Quota;
  readonly policies: Policies;
  readonly usedUpDays: UsedUpDays;
  readonly subjectLog: SubjectLog;
  readonly subjectTail: WatchedLog<SubjectEntry>;
}

export function quotaAdminHandlers({
  quota,
  policies,
  usedUpDays,
  subjectLog,
  subjectTail,
}: QuotaAdminDependencies): Handlers<QuotaAdminServiceService> {
  return {
    async showSubject(request, call) {
      const subject = requireSubject(request.subject);
      const allowances = await quota.show(subject, call.signal);
      const look = auditAttribution(call, requireReason(request.reason));
      await subjectLog.record(entryOf(subject, 'viewed', look), call.signal);
      return { allowances: allowances.map(toWireAllowance) };
    },

    // The entry is stored before the reset, so that a failed reset is in the log too.
    async resetSubject(request, call) {
      const act = requireAttribution(call, requireReason(request.reason));
      const subject = requireSubject(request.subject);
      await subjectLog.record(entryOf(subject, 'reset', act), call.signal);
      const allowances = await quota.reset(subject, call.signal);
      call.log.info({ actor: act.actor, subject_kind: subject.kind }, 'the allowances of a subject were reset');
      return { allowances: allowances.map(toWireAllowance) };
    },

    async listLimits(_request, { signal }) {
      const days = await usedUpDays.list(signal);
      return { limits: Object.values(policies).map((policy) => toWireLimit(policy, days.get(policy.name) ?? [])) };
    },

    watchSubjects: watchHandler(subjectTail, {
      factsOf: (entry) => entry,
      toWire: ({ subject, id, ...act }, cursor) => ({
        ...{ cursor, subject, id },
        transition: toWireTransition({ from: '', revision: 0, ...act }),
      }),
    }),
  };
}

/**
 * Makes a log entry, with hashes instead of the subject. It uses the system clock, even if the service counts by
 * another clock.
 */
function entryOf(subject: Subject, to: SubjectEntry['to'], act: Attribution): Omit<SubjectEntry, 'position'> {
  const person = subject.kind === 'email' ? { person: personHash(subject.value) } : {};
  return { subject: subject.kind, id: subjectDigest(subject), ...person, to, ...act, at: new Date() };
}

function requireReason(reason = ''): string {
  const { max } = bounds.reason;
  if (isLonger(reason, max)) throw new KnowledgeError('validation_error', `reason must be at most ${max} characters.`);
  return reason;
}
