import { type Logger, startLoop } from '@knowledge/runtime';
import { type CeilingName, ceilingNames, type Policies, type Policy, type PolicyName } from '../domain/policy.js';
import type { CeilingStore, StoredCeiling } from './store/ceiling-store.js';

/** The limits that hold now: those that administrators set, else those of the configuration. */
export interface Ceilings {
  /** All policies. Its ceilings change while the process runs. */
  readonly policies: Policies;
  /** The limit of the configuration. */
  configured(name: CeilingName): number;
  /** Resolves when what administrators have set was read for the first time. */
  readonly loaded: Promise<void>;
  /** Reads what administrators have set. */
  load(signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>>;
  close(): Promise<void>;
}

interface CeilingParts {
  readonly configured: Policies;
  readonly store: CeilingStore;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** Follows what administrators set, so that a change holds in every process after a few seconds. */
export function createCeilings({ configured, store, log, pauseMs = 2_000 }: CeilingParts): Ceilings {
  const policies: Record<PolicyName, Policy> = { ...configured };

  const load = async (signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>> => {
    const stored = await store.list(signal);
    for (const name of ceilingNames) {
      const limit = stored.get(name)?.limit ?? configured[name].limit;
      if (policies[name].limit !== limit) policies[name] = { ...configured[name], limit };
    }
    return stored;
  };
  let markLoaded = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    markLoaded = resolve;
  });
  const loop = startLoop({
    name: 'ceilings',
    pauseMs,
    log,
    async round(signal) {
      await load(signal);
      markLoaded();
      return false;
    },
  });

  return { policies, configured: (name) => configured[name].limit, loaded, load, close: () => loop.close() };
}
