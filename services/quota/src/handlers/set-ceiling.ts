import type { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import type { Ceilings } from '../ceilings/ceilings.js';
import type { CeilingStore } from '../ceilings/store/ceiling-store.js';
import { type CeilingName, ceilingNames, maxLimit } from '../domain/policy.js';
import type { SubjectLog } from '../store/subject-log.js';
import { requirePolicy, requireReason, toWireLimit } from './wire.js';

/** The parts of the handler. Each change is stored with actor and reason. */
export interface SetCeilingDependencies {
  readonly ceilings: Ceilings;
  readonly ceilingStore: CeilingStore;
  readonly subjectLog: SubjectLog;
}

export function setCeiling(parts: SetCeilingDependencies): Handlers<QuotaAdminServiceService>['setCeiling'] {
  const { ceilings, ceilingStore, subjectLog } = parts;
  return async ({ policy, units, reason }, call) => {
    const act = requireAttribution(call, requireReason(reason).trim());
    const name = requireCeiling(requirePolicy(policy));
    if (units !== undefined && (units < 0 || units > maxLimit)) refuse(`units must be from 0 to ${maxLimit}`);
    if (act.reason === '') refuse('reason is required');
    const before = (await ceilings.load(call.signal)).get(name)?.limit;
    if (before !== units) {
      const [from, limit] = [before, units].map((each) => each ?? ceilings.configured(name)) as [number, number];
      // The entry is stored first, so that a failed change is in the log too.
      const entry = { subject: 'ceiling', id: name, ...act, to: 'set', before: from, limit } as const;
      await subjectLog.record(entry, call.signal);
      if (units === undefined) await ceilingStore.remove(name, call.signal);
      else await ceilingStore.set(name, { limit: units, ...act }, call.signal);
      call.log.info({ actor: act.actor, policy: name, before: from, limit }, 'a ceiling was set');
    }
    const stored = await ceilings.load(call.signal);
    return { limit: toWireLimit(ceilings.policies[name], [], ceilings, stored) };
  };
}

function requireCeiling(name: string): CeilingName {
  return ceilingNames.find((each) => each === name) ?? refuse(`policy must be ${ceilingNames.join(', ')}`);
}

function refuse(fault: string): never {
  throw new KnowledgeError('validation_error', `${fault}.`);
}
