import type { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { Attribution } from '@knowledge/runtime';
import { auditAttribution, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { personHash, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { toWireTransition } from '@knowledge/runtime/wire';
import type { Quota } from '../domain/quota.js';
import { type Subject, subjectDigest } from '../domain/subject.js';
import type { SubjectEntry } from '../store/subject-log.js';
import type { UsedUpDays } from '../used-up/store/used-up-days.js';
import { type SetCeilingDependencies, setCeiling } from './set-ceiling.js';
import { requireReason, requireSubject, toWireAllowance, toWireLimit } from './wire.js';

/** The parts of the handlers for support. Each use is stored with actor, reason and a hash of the subject. */
export interface QuotaAdminDependencies extends SetCeilingDependencies {
  readonly quota: Quota;
  readonly usedUpDays: UsedUpDays;
  readonly subjectTail: WatchedLog<SubjectEntry>;
}

export function quotaAdminHandlers(parts: QuotaAdminDependencies): Handlers<QuotaAdminServiceService> {
  const { quota, ceilings, usedUpDays, subjectLog, subjectTail } = parts;
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
      const [days, stored] = await Promise.all([usedUpDays.list(signal), ceilings.load(signal)]);
      const limits = Object.values(ceilings.policies).map((policy) =>
        toWireLimit(policy, days.get(policy.name) ?? [], ceilings, stored),
      );
      return { limits };
    },

    setCeiling: setCeiling(parts),

    watchSubjects: watchHandler(subjectTail, {
      factsOf: (entry) => entry,
      toWire: ({ subject, id, before, limit, to: done, ...act }, cursor) => {
        const [from, to] = limit === undefined ? ['', done] : [limitWords(before ?? 0), limitWords(limit)];
        return { cursor, subject, id, transition: toWireTransition({ ...act, from, to, revision: 0 }) };
      },
    }),
  };
}

/** Makes a log entry, with hashes instead of the subject. */
function entryOf(subject: Subject, to: 'viewed' | 'reset', act: Attribution): Omit<SubjectEntry, 'position'> {
  const person = subject.kind === 'email' ? { person: personHash(subject.value) } : {};
  return { subject: subject.kind, id: subjectDigest(subject), ...person, to, ...act };
}

function limitWords(limit: number): string {
  return limit === 0 ? 'off' : String(limit);
}
