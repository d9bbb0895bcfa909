import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

export interface LogTail {
  /** Reads new lines now instead of at the next interval. */
  flush(): void;
  stop(): void;
}

const intervalMs = 200;
const largestLogBytes = 20_000_000;

/** Calls `onLine` for every line that is appended to an existing file from now on. */
export function tailLog(path: string, onLine: (line: string) => void): LogTail {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(64 * 1024);
  let position = fstatSync(file).size;
  let rest = '';
  const flush = (): void => {
    for (;;) {
      const bytes = readSync(file, chunk, 0, chunk.length, position);
      if (bytes === 0) return;
      position += bytes;
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(flush, intervalMs);
  return {
    flush,
    stop: () => {
      clearInterval(timer);
      flush();
      closeSync(file);
    },
  };
}

/** Renames a large log to `.1` and starts a new one. */
export function prepareLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largestLogBytes) renameSync(path, `${path}.1`);
  closeSync(openSync(path, 'a'));
}
