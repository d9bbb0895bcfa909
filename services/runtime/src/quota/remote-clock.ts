import type { Deadline } from '../deadline.js';

/** How far the clock of another process is ahead of ours, learnt from its answers. */
export class RemoteClock {
  private ahead: number | undefined;

  /** A deadline by the other clock; undefined before the first answer. */
  at(deadline: Deadline): Date | undefined {
    return this.ahead === undefined ? undefined : new Date(Math.ceil(deadline + this.ahead));
  }

  /**
   * `now` of an answer to what was sent at `sentAt`. It takes the whole time in between for a difference: a slow answer makes
   * the other side patient, never impatient.
   */
  learn(now: Date | undefined, sentAt: number): void {
    if (now !== undefined) this.ahead = now.getTime() - sentAt;
  }
}
