import sonicBoom from 'sonic-boom';

/** The destination of the log lines. */
export interface Output {
  write(line: string): void;
  /** Calls `done` when all lines so far are written. */
  flush(done?: () => void): void;
  /** Writes all collected lines before it returns, for a fatal line and for the exit. */
  flushSync(): void;
}

/** The bytes that are collected before a write. Another thread writes, so few large writes cost less. */
const pageBytes = 32 * 1024;
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
    // More than a page, so that only `send` begins a write. `flushSync` could not wait for one.
    minLength: pageBytes + 1,
    maxLength: maxPendingBytes,
    maxWrite: 2 * pageBytes,
    retryEAGAIN: () => retriesLeft-- > 0,
    // In text mode each line copies all pending lines, so a line costs twice as much.
    contentMode: 'buffer',
  });
  // The types of sonic-boom lack the buffers of this mode.
  const writeBytes = sonic.write.bind(sonic) as unknown as (bytes: Buffer) => boolean;
  // Lines are encoded into one page. A buffer for each line would cost more.
  const page = Buffer.allocUnsafeSlow(pageBytes);
  let filled = 0;
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  let isMoreWaiting = false;
  const flushing: (() => void)[] = [];

  const copyOfPage = (): Buffer => {
    const copy = Buffer.from(page.subarray(0, filled));
    filled = 0;
    return copy;
  };
  const send = (bytes: Buffer) => {
    writeBytes(bytes);
    if (isWriting) isMoreWaiting = true;
    else sonic.flush();
    isWriting = true;
  };
  const sendPage = () => {
    clearTimeout(timer);
    timer = undefined;
    if (filled > 0 && !isGone) send(copyOfPage());
  };
  const endFlushing = () => {
    for (const done of flushing.splice(0)) done();
  };
  sonic.on('drain', () => {
    isWriting = isMoreWaiting;
    isMoreWaiting = false;
    if (isWriting) sonic.flush();
    else endFlushing();
  });
  // The stream is not destroyed, because that would close a file descriptor that others use.
  sonic.on('error', () => {
    isGone = true;
    endFlushing();
  });
  return {
    write: (line) => {
      if (isGone) return;
      // A character takes at most three bytes.
      const bytes = line.length * 3;
      if (filled + bytes > pageBytes) sendPage();
      if (bytes > pageBytes) return send(Buffer.from(line));
      filled += page.write(line, filled);
      timer ??= setTimeout(sendPage, pageMs).unref();
    },
    flush: (done = () => undefined) => {
      sendPage();
      if (isGone || !isWriting) done();
      else flushing.push(done);
    },
    flushSync: () => {
      if (isGone) return;
      retriesLeft = retriesAtEnd;
      try {
        if (filled > 0) writeBytes(copyOfPage());
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
