import { CallNotAllowedError } from './access.js';
import type { HandlerContext } from './context.js';
import { toPublicError } from './status.js';

// In an outage all calls fail for the same reason, so a few lines per second are enough.
const maxLinesPerSecond = 20;

/**
 * Logs defects as errors and outages as warnings. It writes at most 20 lines a second and counts the lines that it
 * leaves out. A refusal is a normal response and is not logged, unless the caller had no access.
 */
export class FailureLog {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  report(error: unknown, context: HandlerContext): void {
    if (error instanceof CallNotAllowedError) {
      if (this.admit()) context.log.warn({ peer: context.peer, refused: error.message }, 'a caller was refused');
      return;
    }
    const { code } = toPublicError(error, context.requestId);
    if (code !== 'internal_error' && code !== 'unavailable') return;
    if (!this.admit()) return;
    const facts = { err: error, ...(this.leftOut > 0 && { left_out: this.leftOut }) };
    this.leftOut = 0;
    if (code === 'internal_error') context.log.error(facts, 'a call failed');
    else context.log.warn(facts, 'a call was not answered in time');
  }

  private admit(): boolean {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) {
      this.second = second;
      this.lines = 0;
    }
    if (++this.lines <= maxLinesPerSecond) return true;
    this.leftOut++;
    return false;
  }
}
