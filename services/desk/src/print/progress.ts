import type { Output } from '../host.js';

/** Shows the progress of a long command on standard error. */
export interface Progress {
  step(): void;
  end(): void;
}

/** Makes a progress line. A terminal rewrites one line; other outputs get a line for every 10 %. */
export function createProgress(stderr: Output, what: string, total: number): Progress {
  let done = 0;
  let printedTenths = 0;
  const isTerminal = stderr.isTTY === true;
  return {
    step: () => {
      done++;
      const tenth = Math.floor((done * 10) / total);
      if (isTerminal) stderr.write(`\r\u001b[K${done} of ${total} ${what}`);
      else if (tenth > printedTenths) stderr.write(`${done} of ${total} ${what}\n`);
      printedTenths = tenth;
    },
    end: () => {
      if (isTerminal && done > 0) stderr.write('\r\u001b[K');
    },
  };
}
