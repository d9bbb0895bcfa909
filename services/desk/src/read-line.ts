import { createInterface } from 'node:readline/promises';
import type { Host } from './host.js';

/** The line that was typed after a question; empty at the end of input and after Ctrl-C, as for a mere Enter. */
export async function readLine(
  { stdin, stderr, interrupted }: Pick<Host, 'stdin' | 'stderr' | 'interrupted'>,
  question: string,
): Promise<string> {
  // Not as a terminal: then Ctrl-C reaches the process as everywhere else.
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

/** One key, without Enter, as the terminal sends it; `\u0003` for Ctrl-C and for the end of input. */
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
