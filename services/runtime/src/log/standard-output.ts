import sonicBoom from 'sonic-boom';

/** The destination of the log lines. */
export interface Output {
  write(line: string): void;
  /** Calls `done` when all lines so far are written. */
  flush(done?: () => void): void;
  /** Writes all collected lines before it returns, for a fatal line and for the exit. */
  flushSync(): void;
}

/** The characters that are collected before a write. Another thread writes, so few large writes cost less. */
const pageLength = 32 * 1024;
const pageMs = 200;
const maxPendingBytes = 8 * 1024 * 1024;
const retriesAtEnd = 10;

/**
 * Collects lines and writes 32 KiB at a time, after at most 200 ms. It drops all lines when the reader of the log is
 * gone. While the reader does not read, it drops lines beyond 8 MiB.
 */
export function openOutput(descriptor: number): Output {
  let isGone = false;
  let retriesLeft = Number.POSITIVE_INFINITY;
  const sonic = new sonicBoom.SonicBoom({
    fd: descriptor,
    maxLength: maxPendingBytes,
    maxWrite: 2 * pageLength,
    retryEAGAIN: () => retriesLeft-- > 0,
    // In text mode each line copies all pending lines, so a line costs five times as much.
    contentMode: 'buffer',
  });
  // The types of sonic-boom lack the buffers of this mode, and this field.
  const queue = sonic as unknown as { minLength: number; write(bytes: Buffer): boolean };
  let page = '';
  let timer: NodeJS.Timeout | undefined;

  const sendPage = () => {
    clearTimeout(timer);
    timer = undefined;
    if (page !== '' && !isGone) queue.write(Buffer.from(page));
    page = '';
  };
  // The stream is not destroyed, because that would close a file descriptor that others use.
  sonic.on('error', () => {
    isGone = true;
  });
  return {
    write: (line) => {
      page += line;
      if (page.length > pageLength) sendPage();
      else timer ??= setTimeout(sendPage, pageMs).unref();
    },
    flush: (done = () => undefined) => {
      sendPage();
      if (isGone) done();
      else sonic.flush(() => done());
    },
    flushSync: () => {
      if (isGone) return;
      retriesLeft = retriesAtEnd;
      // No write begins in the background, since this could not wait for it.
      queue.minLength = Number.POSITIVE_INFINITY;
      try {
        sendPage();
        sonic.flushSync();
      } catch {
        // The error cannot be reported, since the log has no reader.
      }
      queue.minLength = 0;
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
