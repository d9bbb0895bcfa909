import { createInterface } from 'node:readline/promises';
import { DeskError, UsageError } from './desk-error.js';
import type { Host } from './host.js';
import { cleanLine } from './print/clean.js';

/**
 * Asks before what cannot be undone, unless the user said `--yes`.
 *
 * @throws UsageError where nobody can be asked; DeskError `cancelled` if the answer is not yes.
 */
export async function confirm({ host, yes }: { host: Host; yes: boolean }, what: string): Promise<void> {
  if (yes) return;
  const { stdin, stderr, interrupted } = host;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${what} There is no terminal to ask on: add --yes to do it.`);
  }
  const answer = await ask(stdin, stderr, `${cleanLine(what)} Go on? [y/N] `, interrupted);
  if (!/^y(es)?$/i.test(answer.trim())) throw new DeskError('cancelled', 'Nothing was changed.');
}

/** The line that was typed; empty at the end of input and after Ctrl-C. */
async function ask(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
  interrupted: AbortSignal,
): Promise<string> {
  // Not as a terminal: then Ctrl-C reaches the process as everywhere else.
  const lines = createInterface({ input, output, terminal: false });
  const ended = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    interrupted.addEventListener('abort', () => resolve(''), { once: true });
  });
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
