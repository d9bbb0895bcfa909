import { randomUUID } from 'node:crypto';
import type { ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Settler } from '@knowledge/runtime/quota';

/** A lease of this gateway; at most one call at a time uses it. */
export class Lease {
  readonly id = randomUUID();
  turn = 0;
  /** Whether the turn before is not settled yet. */
  settlesEarlierTurn = false;
}

/** A unit whose caller waits. */
export interface WaitingUnit {
  readonly id: string;
  /** Whether its caller was refused meanwhile. */
  readonly isCallerGone: boolean;
}

/**
 * The leases of this gateway, as many as there are calls on their way. A call also settles the turn before it; if none follows
 * at once, a settlement of its own does.
 */
export class Leases {
  private idle: Lease[] = [];

  constructor(private readonly settler: Settler) {}

  /** The lease of the next call. */
  take(): Lease {
    const lease = this.idle.pop() ?? new Lease();
    lease.turn += 1;
    return lease;
  }

  /** The outcome of its call is unknown: quota gives back what it counted for this turn, and keeps the turn before. */
  callFailed({ id, turn, settlesEarlierTurn }: Lease): void {
    if (settlesEarlierTurn) this.settler.settle({ lease: { id, turn: turn - 1 }, undelivered: [] });
  }

  /**
   * Its call was answered. Callers get their response when this resolves: by then the settlement is on its way, so that a gateway
   * that is killed right afterwards has charged them.
   */
  async callAnswered(lease: Lease, units: readonly WaitingUnit[], results: readonly ConsumeResult[]): Promise<void> {
    if (results.some(({ outcome }) => outcome?.$case === 'error')) this.callFailed(lease);
    const undelivered: string[] = [];
    let delivered = 0;
    for (const [at, { id, isCallerGone }] of units.entries()) {
      const kind = results[at]?.outcome?.$case;
      if (kind === 'refused') continue;
      if (kind === 'granted' && !isCallerGone) delivered += 1;
      else undelivered.push(id);
    }
    if (undelivered.length > 0) {
      // Settled with units to give back, this lease is used no more.
      if (delivered > 0) this.settler.settle({ lease: { id: lease.id, turn: lease.turn }, undelivered });
    } else {
      lease.settlesEarlierTurn = delivered > 0;
      this.idle.push(lease);
    }
    if (delivered > 0) await this.settlementSent(lease, lease.turn);
  }

  /** Resolves when the bytes of a call that settles the turn are with the operating system. */
  private async settlementSent(lease: Lease, turn: number): Promise<void> {
    await nextRound();
    if (lease.turn === turn && lease.settlesEarlierTurn) {
      lease.settlesEarlierTurn = false;
      this.settler.settle({ lease: { id: lease.id, turn }, undelivered: [] });
    }
    await nextRound();
    await nextRound();
  }
}

/** Resolves in the next round of the event loop, when what was written in this one is with the operating system. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
