import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

export interface LogTail {
  /** Reads what is new now. */
  flush(): void;
  stop(): void;
}

const INTERVAL_MS = 200;
const LARGEST_LOG = 20_000_000;

/** Gives every line that is added to a file from now on. The file must exist. */
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
  const timer = setInterval(flush, INTERVAL_MS);
  return {
    flush,
    stop: () => {
      clearInterval(timer);
      flush();
      closeSync(file);
    },
  };
}

/** Starts a new log where the last one has become large; one old one is kept, with `.1` at its end. */
export function prepareLog(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(path, `${path}.1`);
  closeSync(openSync(path, 'a'));
}
