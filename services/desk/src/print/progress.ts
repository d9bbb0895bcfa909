import type { Output } from '../host.js';

/** How far a long command is, on standard error. */
export interface Progress {
  step(): void;
  end(): void;
}

/** On a terminal one line that is written over, else a line each 10 %. */
export function createProgress(stderr: Output, what: string, total: number): Progress {
  let done = 0;
  let told = 0;
  const live = stderr.isTTY === true;
  return {
    step: () => {
      done++;
      const tenth = Math.floor((done * 10) / total);
      if (live) stderr.write(`\r\u001b[K${done} of ${total} ${what}`);
      else if (tenth > told) stderr.write(`${done} of ${total} ${what}\n`);
      told = tenth;
    },
    end: () => {
      if (live && done > 0) stderr.write('\r\u001b[K');
    },
  };
}
