import type { Deadline } from './deadline.js';

/** How far the clock of another process is ahead of ours, learnt from its answers. */
export class RemoteClock {
  private ahead: number | undefined;

  /** A deadline by the other clock; undefined while that is not known. */
  at(deadline: Deadline): Date | undefined {
    return this.ahead === undefined ? undefined : new Date(Math.ceil(deadline + this.ahead));
  }

  /**
   * `now` of an answer to what was sent at `sentAt`: the difference lies between that of the answer and that of the question.
   * It keeps the largest difference that all answers agree with, so a slow answer spoils nothing, and a deadline is late by
   * the fastest way there and back at most, never early. After a clock was set it begins anew.
   */
  learn(now: Date | undefined, sentAt: number, receivedAt = Date.now()): void {
    if (now === undefined) return;
    const least = now.getTime() - receivedAt;
    const most = now.getTime() - sentAt;
    if (this.ahead === undefined || this.ahead < least || this.ahead > most) this.ahead = most;
  }

  /** The other process was exchanged for another one. */
  forget(): void {
    this.ahead = undefined;
  }
}
