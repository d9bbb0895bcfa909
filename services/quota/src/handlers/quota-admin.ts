import type { Limit, QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type Attribution, refuse } from '@knowledge/runtime';
import { auditAttribution, type Handlers, requireAttribution, requireExplained } from '@knowledge/runtime/grpc';
import { personHash, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { toWireTransition } from '@knowledge/runtime/wire';
import { type CeilingName, ceilingNames, maxLimit, type Policy } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { type Subject, subjectDigest } from '../domain/subject.js';
import type { Ceilings, StoredCeiling } from '../store/ceilings.js';
import type { SubjectEntry, SubjectLog } from '../store/schema.js';
import type { UsedUpDay, UsedUpDays } from '../store/used-up-days.js';
import { requirePolicy, requireSubject, toWireAllowance, toWireKind, toWirePolicy } from './wire.js';

/** The parts of the handlers for support. Each use is stored with actor, reason and a hash of the subject. */
interface QuotaAdminParts {
  readonly ceilings: Ceilings;
  readonly subjectLog: SubjectLog;
  readonly quota: Quota;
  readonly usedUpDays: UsedUpDays;
  readonly subjectTail: WatchedLog<SubjectEntry>;
}

export function quotaAdminHandlers({
  quota,
  ceilings,
  usedUpDays,
  subjectLog,
  subjectTail,
}: QuotaAdminParts): Handlers<QuotaAdminServiceService> {
  return {
    async showSubject(request, call) {
      const subject = requireSubject(request.subject);
      const allowances = await quota.show(subject, call.signal);
      const look = auditAttribution(call, request.reason);
      await subjectLog.record(entryOf(subject, 'viewed', look), call.signal);
      return { allowances: allowances.map(toWireAllowance) };
    },

    // The entry is stored before the reset, so that a failed reset is in the log too.
    async resetSubject(request, call) {
      const act = requireAttribution(call, request.reason);
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

    /** Each change is stored with actor and reason. */
    async setCeiling({ policy, units, reason }, call) {
      const act = requireExplained(call, reason);
      const name = requireCeiling(requirePolicy(policy));
      if (units !== undefined && (units < 0 || units > maxLimit)) refuse(`units must be from 0 to ${maxLimit}`);
      const before = (await ceilings.load(call.signal)).get(name)?.limit;
      if (before !== units) {
        const [from, limit] = [before, units].map((each) => each ?? ceilings.configured(name)) as [number, number];
        // The entry is stored first, so that a failed change is in the log too.
        const entry = { subject: 'ceiling', id: name, ...act, to: 'set', before: from, limit } as const;
        await subjectLog.record(entry, call.signal);
        if (units === undefined) await ceilings.remove(name, call.signal);
        else await ceilings.set(name, { limit: units, ...act }, call.signal);
        call.log.info({ actor: act.actor, policy: name, before: from, limit }, 'a ceiling was set');
      }
      const stored = await ceilings.load(call.signal);
      return { limit: toWireLimit(ceilings.policies[name], [], ceilings, stored) };
    },

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

function limitWords(limit: number) {
  return limit === 0 ? 'off' : String(limit);
}

function requireCeiling(name: string): CeilingName {
  return ceilingNames.find((each) => each === name) ?? refuse(`policy must be ${ceilingNames.join(', ')}`);
}

/** Converts a limit. A ceiling says what the configuration has, and who set it since. */
function toWireLimit(
  { name, kind, limit, window }: Policy,
  days: readonly UsedUpDay[],
  ceilings: Pick<Ceilings, 'configured'>,
  stored: ReadonlyMap<string, StoredCeiling>,
): Limit {
  const windowHours = window === 'day' ? 24 : 1;
  const ceilingName = ceilingNames.find((each) => each === name);
  const { actor = '', reason = '', at } = stored.get(name) ?? {};
  const ceiling = ceilingName && { configuredUnits: ceilings.configured(ceilingName), setBy: actor, reason, setAt: at };
  return { policy: toWirePolicy(name), kind: toWireKind(kind), units: limit, windowHours, days: [...days], ceiling };
}
