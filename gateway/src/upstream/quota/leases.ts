import { randomUUID } from 'node:crypto';
import type { ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Settler } from '@knowledge/runtime/quota';

/** A lease of this gateway. Two calls never use the same lease at the same time. */
export class Lease {
  readonly id = randomUUID();
  turn = 0;
  /** Whether the next call must settle the turn before it. */
  settlesEarlierTurn = false;
}

/** A unit for which a caller waits. */
export interface WaitingUnit {
  readonly id: string;
  /** Whether the caller has already got a failure, so that the unit must not count. */
  readonly isCallerGone: boolean;
}

/**
 * The leases of this gateway, one for each running call. The next call under a lease settles the turn before it. If no
 * call follows at once, a separate settlement is sent.
 */
export class Leases {
  private idle: Lease[] = [];

  constructor(private readonly settler: Settler) {}

  /** Takes a lease for the next call. */
  take(): Lease {
    const lease = this.idle.pop() ?? new Lease();
    lease.turn += 1;
    return lease;
  }

  /** Settles the turn before a failed call. The lease is not used again, so quota gives back the failed units. */
  callFailed({ id, turn, settlesEarlierTurn }: Lease): void {
    if (settlesEarlierTurn) this.settler.settle({ lease: { id, turn: turn - 1 }, undelivered: [] });
  }

  /**
   * Settles the turn of a call that has results. Callers get their response when this resolves. The settlement is sent
   * by then, so that a killed gateway cannot undo the charge.
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
      // Quota must give back some units of this lease, so the lease is not used again.
      if (delivered > 0) this.settler.settle({ lease: { id: lease.id, turn: lease.turn }, undelivered });
    } else {
      lease.settlesEarlierTurn = delivered > 0;
      this.idle.push(lease);
    }
    if (delivered > 0) await this.settlementSent(lease, lease.turn);
  }

  /** Resolves when the operating system has the bytes of the call that settles the turn. */
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

/** Resolves in the next round of the event loop, when the operating system has the bytes written in this round. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
