import { NotAdmittedError } from './access.js';
import type { HandlerContext } from './context.js';
import { presentable } from './status.js';

// In an outage every call fails alike; some of them a second tell it all.
const maxLinesPerSecond = 20;

/**
 * Writes the failures of calls that somebody should see: defects as errors, outages as warnings, at most 20 a second, with
 * the number of those left out. A refusal is an answer, not a failure, but for a caller that has no right to ask.
 */
export class FailureLog {
  private second = 0;
  private lines = 0;
  private leftOut = 0;

  report(error: unknown, context: HandlerContext): void {
    if (error instanceof NotAdmittedError) {
      if (this.admit()) context.log.warn({ peer: context.peer, refused: error.message }, 'a caller was refused');
      return;
    }
    const { code } = presentable(error, context.requestId);
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
