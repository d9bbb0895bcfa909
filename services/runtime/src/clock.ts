import type { Deadline } from './deadline.js';
import { KnowledgeError } from './errors/knowledge-error.js';

/** Returns the current time. Tests pass their own clock. */
export type Clock = () => Date;

/** Estimates the difference between our clock and that of another process. It learns from the responses. */
export class RemoteClock {
  private ahead: number | undefined;
  private isSure = false;

  /** Converts our deadline to the time of the other clock; undefined before the first response. */
  at(deadline: Deadline): Date | undefined {
    return this.ahead === undefined || !this.isSure ? undefined : new Date(Math.ceil(deadline + this.ahead));
  }

  /**
   * The time of the other clock. After `forget` it goes on by the last estimate.
   *
   * @throws KnowledgeError `unavailable` before the first response, since our own clock may be wrong.
   */
  now(): Date {
    if (this.ahead !== undefined) return new Date(Math.floor(Date.now() + this.ahead));
    throw new KnowledgeError('unavailable', 'A part of the service does not answer; try again.', {
      retryAfterSeconds: 1,
    });
  }

  /**
   * Learns from the time `now` in a response. The true difference lies between `now - receivedAt` and `now - sentAt`.
   * The largest difference that fits all responses is used, so a deadline is never early, and late by at most one fast
   * round trip. A response that does not fit shows that a clock was changed; then the estimate starts again.
   */
  learn(now: Date | undefined, sentAt: number, receivedAt = Date.now()): void {
    if (now === undefined) return;
    const least = now.getTime() - receivedAt;
    const most = now.getTime() - sentAt;
    if (!this.isSure || this.ahead === undefined || this.ahead < least || this.ahead > most) this.ahead = most;
    this.isSure = true;
  }

  /** Call it when another process replaces the one that sent the responses. */
  forget(): void {
    this.isSure = false;
  }
}
