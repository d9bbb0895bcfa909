import sonicBoom from 'sonic-boom';

/** Where a log writes its lines. */
export interface Output {
  write(line: string): void;
  /** Calls back when everything written before is out. */
  flush(done?: () => void): void;
  /** Writes out everything at once; for a fatal line and for the end. */
  flushSync(): void;
}

const maxPendingBytes = 8 * 1024 * 1024;
const retriesAtEnd = 10;

/**
 * Collects lines and writes them 4 KiB at a time, after 200 ms at the latest. It drops lines when the reader of the log
 * is gone, and lines beyond 8 MiB while the reader stalls.
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
  // Not destroyed, because that would close a descriptor that is not ours.
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
        // Nobody reads the log, so the error cannot be reported.
      }
      retriesLeft = Number.POSITIVE_INFINITY;
    },
  };
}

let shared: Output | undefined;

/** The standard output of the process. All its logs share one, so that their lines keep their order. */
export function standardOutput(): Output {
  if (shared === undefined) {
    const output = openOutput(1);
    process.on('exit', () => output.flushSync());
    shared = output;
  }
  return shared;
}
