import type { Deadline } from './deadline.js';

/** Estimates how far the clock of another process is ahead of ours, from its responses. */
export class RemoteClock {
  private ahead: number | undefined;

  /** The deadline by the other clock; undefined before the first response. */
  at(deadline: Deadline): Date | undefined {
    return this.ahead === undefined ? undefined : new Date(Math.ceil(deadline + this.ahead));
  }

  /**
   * Takes the time `now` that the other process put into its response to a request of `sentAt`. The true difference
   * lies between `now - receivedAt` and `now - sentAt`. The largest difference that fits all responses is used, so a
   * deadline is never early, and late by at most one fast round trip. If a clock was set meanwhile, it starts again.
   */
  learn(now: Date | undefined, sentAt: number, receivedAt = Date.now()): void {
    if (now === undefined) return;
    const least = now.getTime() - receivedAt;
    const most = now.getTime() - sentAt;
    if (this.ahead === undefined || this.ahead < least || this.ahead > most) this.ahead = most;
  }

  /** Call it when another process takes the place of the one that responded so far. */
  forget(): void {
    this.ahead = undefined;
  }
}
