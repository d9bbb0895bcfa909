import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { LeaseStore, TurnName } from '../domain/consume-item.js';
import type { RefusalCache } from '../domain/decision.js';

interface GiveBackParts {
  leases: LeaseStore;
  memory: RefusalCache;
  metrics: Metrics;
  log: Logger;
  /**
   * A turn is given back after it has been open for this time (default 25 s). `pauseMs` is the time between two looks
   * (default 2.5 s).
   */
  leaseMs?: number;
  pauseMs?: number;
}

/**
 * Gives back units that callers did not settle. A turn is due when this process has seen it open for the whole waiting
 * time, by a monotonic clock. If the process or the database stops meanwhile, the waiting time starts again, so that
 * callers can still settle.
 */
export function startGiveBack({ leases, memory, metrics, log, ...times }: GiveBackParts): Loop {
  const { leaseMs = 25_000, pauseMs = 2_500 } = times;
  const watch = new OpenTurns(leaseMs, pauseMs * 4);
  const total = metrics.counter({
    name: 'knowledge_quota_given_back_total',
    help: 'Units that were counted and then given back, because no caller settled them',
  });
  return startLoop({
    name: 'give back',
    pauseMs,
    async round(signal) {
      const begun = performance.now();
      const open = await leases.listOpen(signal);
      for (const turn of watch.due(open, begun, performance.now())) {
        const units = await leases.giveBack(turn, signal);
        memory.forget(units.flatMap(({ keys }) => keys));
        total.inc(units.length);
        log.info({ units: units.length }, 'units that nobody settled were given back');
      }
      return false;
    },
    log,
  });
}

/** Remembers when each open turn was first seen. */
export class OpenTurns {
  private since = new Map<string, number>();
  private looked = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly leaseMs: number,
    /** If one round, or the pause between two rounds, takes longer than this, the process was stopped meanwhile. */
    private readonly haltMs: number,
  ) {}

  /** Returns the turns that have been open long enough. */
  due(open: readonly TurnName[], begun: number, ended: number): TurnName[] {
    const halted = begun - this.looked > this.haltMs || ended - begun > this.haltMs;
    const before = halted ? new Map<string, number>() : this.since;
    this.since = new Map(open.map((turn) => [nameOf(turn), before.get(nameOf(turn)) ?? ended]));
    this.looked = ended;
    return open.filter((turn) => ended - (this.since.get(nameOf(turn)) ?? ended) >= this.leaseMs);
  }
}

function nameOf({ id, turn }: TurnName) {
  return `${turn} ${id}`;
}
