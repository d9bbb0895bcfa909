import sonicBoom from 'sonic-boom';

/** The destination of the log lines. */
export interface Output {
  write(line: string): void;
  /** Calls `done` when all lines so far are written. */
  flush(done?: () => void): void;
  /** Writes all collected lines before it returns, for a fatal line and for the exit. */
  flushSync(): void;
}

const maxPendingBytes = 8 * 1024 * 1024;
const retriesAtEnd = 10;

/**
 * Collects lines and writes 4 KiB at a time, after at most 200 ms. It drops all lines when the reader of the log is
 * gone. While the reader does not read, it drops lines beyond 8 MiB.
 */
export function openOutput(descriptor: number): Output {
  let isGone = false;
  let retriesLeft = Number.POSITIVE_INFINITY;
  const sonic = new sonicBoom.SonicBoom({
    fd: descriptor,
    minLength: 4096,
    maxLength: maxPendingBytes,
    periodicFlush: 200,
    retryEAGAIN: () => retriesLeft-- > 0,
    // In text mode each line copies all pending lines, so a line costs twice as much.
    contentMode: 'buffer',
  });
  // The types of sonic-boom lack the buffers of this mode.
  const writeBytes = sonic.write.bind(sonic) as unknown as (bytes: Buffer) => boolean;
  // The stream is not destroyed, because that would close a file descriptor that others use.
  sonic.on('error', () => {
    isGone = true;
  });
  return {
    write: (line) => {
      if (!isGone) writeBytes(Buffer.from(line));
    },
    flush: (done = () => undefined) => {
      if (isGone) done();
      else sonic.flush(() => done());
    },
    flushSync: () => {
      if (isGone) return;
      retriesLeft = retriesAtEnd;
      try {
        sonic.flushSync();
      } catch {
        // The error cannot be reported, since the log has no reader.
      }
      retriesLeft = Number.POSITIVE_INFINITY;
    },
  };
}

let shared: Output | undefined;

/** The standard output of the process. All loggers of a process share it, so that their lines stay in order. */
export function standardOutput(): Output {
  if (shared === undefined) {
    const output = openOutput(1);
    process.on('exit', () => output.flushSync());
    shared = output;
  }
  return shared;
}
