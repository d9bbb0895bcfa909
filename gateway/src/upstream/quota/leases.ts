import { randomUUID } from 'node:crypto';
import type { ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Settler } from '@knowledge/runtime/quota';

/** A lease of this gateway; one call at a time is under it. */
export class Lease {
  readonly id = randomUUID();
  turn = 0;
  /** Whether the turn before is not settled yet. */
  settlesEarlierTurn = false;
}

/** A unit that somebody waits for. */
export interface Waiting {
  readonly id: string;
  /** Whether its reader was refused meanwhile. */
  readonly isGone: boolean;
}

/**
 * The leases of this gateway: as many as calls are on their way at once. A call settles the turn before it in passing; where
 * no call follows at once, the turn is settled by itself.
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

  /** The outcome of its call is unknown: quota gives back what it counted, and keeps the turn before. */
  lost({ id, turn, settlesEarlierTurn }: Lease): void {
    if (settlesEarlierTurn) this.settler.settle({ lease: { id, turn: turn - 1 }, undelivered: [] });
  }

  /**
   * Its call was answered. Who still waits is given the answer as soon as this resolves: then the news that they were is on its
   * way, and a gateway that is killed right after the answer has counted it.
   */
  async answered(lease: Lease, units: readonly Waiting[], results: readonly ConsumeResult[]): Promise<void> {
    if (results.some(({ outcome }) => outcome?.$case === 'error')) this.lost(lease);
    const undelivered: string[] = [];
    let delivered = 0;
    for (const [at, { id, isGone }] of units.entries()) {
      const kind = results[at]?.outcome?.$case;
      if (kind === 'refused') continue;
      if (kind === 'granted' && !isGone) delivered += 1;
      else undelivered.push(id);
    }
    if (undelivered.length > 0) {
      // Settled, it holds what is to be given back; other calls need another lease.
      if (delivered > 0) this.settler.settle({ lease: { id: lease.id, turn: lease.turn }, undelivered });
    } else {
      lease.settlesEarlierTurn = delivered > 0;
      this.idle.push(lease);
    }
    if (delivered > 0) await this.onItsWay(lease, lease.turn);
  }

  /** Until then a call has begun that settles the turn, and its bytes are with the system. */
  private async onItsWay(lease: Lease, turn: number): Promise<void> {
    await nextRound();
    if (lease.turn === turn && lease.settlesEarlierTurn) {
      lease.settlesEarlierTurn = false;
      this.settler.settle({ lease: { id: lease.id, turn }, undelivered: [] });
    }
    await nextRound();
    await nextRound();
  }
}

/** The next round of the event loop: what was written in this one has been handed to the system. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
