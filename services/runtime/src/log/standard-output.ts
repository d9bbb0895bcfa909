import { write, writeSync } from 'node:fs';

const flushAtLength = 4096;
const flushAfterMs = 200;
const maxPendingLength = 8 * 1024 * 1024;
const retryMs = 20;
const maxSyncRetries = 50;

/**
 * Collects lines and writes them 4 KiB at a time, at the latest after 200 ms, off the hot path. pino's own (sonic-boom 4.2.1)
 * loops for ever at exit when the reader of the pipe is gone, so that a process whose log nobody reads could not stop.
 * Here the lines are dropped then, and those beyond 8 MiB while a reader stalls.
 */
export class BufferedOutput {
  private pending = '';
  private writing: Buffer | undefined;
  private timer: NodeJS.Timeout | undefined;
  private broken = false;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    if (this.broken || this.pending.length > maxPendingLength) return;
    this.pending += line;
    if (this.pending.length >= flushAtLength) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), flushAfterMs).unref();
  }

  /** Calls back when all that was written before is out. */
  flush(done?: () => void): void {
    if (done !== undefined) this.waiting.push(done);
    this.begin();
  }

  /** Writes out everything at once; for a fatal line and for the end. */
  flushSync(): void {
    let rest = Buffer.from(this.pending);
    this.pending = '';
    for (let retries = 0; rest.length > 0 && !this.broken; ) {
      try {
        rest = rest.subarray(writeSync(this.descriptor, rest));
      } catch (error) {
        if (!isBusy(error) || ++retries > maxSyncRetries) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.writing !== undefined) return;
    if (this.pending === '' || this.broken) {
      for (const done of this.waiting.splice(0)) done();
      return;
    }
    this.writing = Buffer.from(this.pending);
    this.pending = '';
    this.step(this.writing);
  }

  private step(chunk: Buffer): void {
    write(this.descriptor, chunk, (error, written) => {
      if (error === null && written === chunk.length) {
        this.writing = undefined;
        if (this.pending.length >= flushAtLength || this.waiting.length > 0) this.begin();
      } else if (error === null) this.step(chunk.subarray(written));
      else if (isBusy(error)) setTimeout(() => this.step(chunk), retryMs);
      else this.end();
    });
  }

  private end(): void {
    this.broken = true;
    this.writing = undefined;
    this.pending = '';
    this.begin();
  }
}

let shared: BufferedOutput | undefined;

/** The standard output of the process: one for all of its logs, so that their lines keep their order. */
export function standardOutput(): BufferedOutput {
  if (shared === undefined) {
    const output = new BufferedOutput(1);
    process.on('exit', () => output.flushSync());
    shared = output;
  }
  return shared;
}

function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
