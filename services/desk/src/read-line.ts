import { createInterface } from 'node:readline/promises';
import type { Host } from './host.js';

/** Asks a question and reads a line. The line is empty after the end of input or Ctrl-C. */
export async function readLine(
  { stdin, stderr, interrupted }: Pick<Host, 'stdin' | 'stderr' | 'interrupted'>,
  question: string,
): Promise<string> {
  // In terminal mode readline would handle Ctrl-C itself, and the process would get no signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    interrupted.addEventListener('abort', () => resolve(''), { once: true });
    if (interrupted.aborted || stdin.readableEnded) resolve('');
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

/** Reads one key without Enter. Ctrl-C and the end of input give `\u0003`. */
export async function readKey({ stdin, stderr, interrupted }: Host, question: string): Promise<string> {
  stderr.write(question);
  stdin.setRawMode?.(true);
  stdin.resume();
  try {
    return await new Promise<string>((resolve) => {
      stdin.once('data', (bytes: Buffer | string) => resolve(String(bytes)));
      stdin.once('end', () => resolve('\u0003'));
      interrupted.addEventListener('abort', () => resolve('\u0003'), { once: true });
      if (interrupted.aborted || stdin.readableEnded) resolve('\u0003');
    });
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
}
