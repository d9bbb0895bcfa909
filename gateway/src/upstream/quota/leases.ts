import { randomUUID } from 'node:crypto';
import type { ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Settler } from '@knowledge/runtime/quota';

/** A lease of this gateway; at most one call at a time uses it. */
export class Lease {
  readonly id = randomUUID();
  turn = 0;
  /** Whether the next call must settle the earlier turn. */
  settlesEarlierTurn = false;
}

/** A unit whose caller waits. */
export interface WaitingUnit {
  readonly id: string;
  /** Whether its caller was refused meanwhile. */
  readonly isCallerGone: boolean;
}

/**
 * The leases of this gateway, one for each call in flight. The next call under a lease settles the turn before it; if none
 * follows at once, a separate settlement does.
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

  /** Keeps the earlier turn. Quota gives back what it may have counted for the turn whose call failed. */
  callFailed({ id, turn, settlesEarlierTurn }: Lease): void {
    if (settlesEarlierTurn) this.settler.settle({ lease: { id, turn: turn - 1 }, undelivered: [] });
  }

  /**
   * Settles the turn of a call that has its results. Callers get their response when this resolves: the settlement is then
   * sent, so that they stay charged even if the gateway is killed right afterwards.
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
      // A lease with units to give back is not used again.
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

/** Resolves in the next round of the event loop. By then the operating system has what was written in this one. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
