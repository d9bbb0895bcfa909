import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { LeaseStore, TurnName } from '../domain/lease.js';
import type { RefusalMemory } from '../domain/refusal-memory.js';

/** What giving back works with. */
export interface GiveBackDependencies {
  leases: LeaseStore;
  memory: RefusalMemory;
  /** Told how many units were given back. */
  count: (units: number) => void;
  log: Logger;
  /** So long a turn must be seen open (default 25 s), and the pause between two looks (default 2.5 s). */
  leaseMs?: number;
  pauseMs?: number;
}

/**
 * Gives back what callers did not settle. A turn is due when this very process saw it open all the time, by a clock that
 * never jumps: after a halt of the process or of the database its time begins anew, since callers need it to settle.
 */
export function startGiveBack({ leases, memory, count, log, ...times }: GiveBackDependencies): Loop {
  const { leaseMs = 25_000, pauseMs = 2_500 } = times;
  const watch = new OpenTurns(leaseMs, pauseMs * 4);
  return startLoop({
    name: 'give back',
    pauseMs,
    async round(signal) {
      const begun = performance.now();
      const open = await leases.listOpen(signal);
      for (const turn of watch.due(open, begun, performance.now())) {
        const units = await leases.giveBack(turn, signal);
        memory.forget(units.flatMap(({ keys }) => keys));
        count(units.length);
        log.info({ units: units.length }, 'units that nobody settled were given back');
      }
      return false;
    },
    log,
  });
}

/** Since when each open turn is seen. */
export class OpenTurns {
  private since = new Map<string, number>();
  private looked = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly leaseMs: number,
    /** A longer time between two looks, or for one, is a halt. */
    private readonly haltMs: number,
  ) {}

  /** The turns of a look that were open long enough. */
  due(open: readonly TurnName[], begun: number, ended: number): TurnName[] {
    const halted = begun - this.looked > this.haltMs || ended - begun > this.haltMs;
    const before = halted ? new Map<string, number>() : this.since;
    this.since = new Map(open.map((turn) => [nameOf(turn), before.get(nameOf(turn)) ?? ended]));
    this.looked = ended;
    return open.filter((turn) => ended - (this.since.get(nameOf(turn)) ?? ended) >= this.leaseMs);
  }
}

function nameOf({ id, turn }: TurnName): string {
  return `${turn} ${id}`;
}
