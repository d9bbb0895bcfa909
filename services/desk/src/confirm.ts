import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { DeskError, UsageError } from './desk-error.js';
import type { Host } from './host.js';
import { terminalSafeLine, terminalSafeText } from './print/terminal-safe.js';
import { wrapText } from './print/wrap.js';
import { readLine } from './read-line.js';

/**
 * Asks the user before an action that sends a mail or cannot be undone, unless `--yes` is set. `preview` describes what
 * will be sent or changed.
 *
 * @throws UsageError without a terminal; DeskError `cancelled` if the answer is not yes.
 */
export async function confirm(
  { host, yes }: { host: Host; yes: boolean },
  what: string,
  preview?: string | (() => Promise<string>),
): Promise<void> {
  if (yes) return;
  if (!canAsk(host)) throw new UsageError(`${what} There is no terminal to ask on: add --yes to do it.`);
  const shown = typeof preview === 'function' ? await preview() : preview;
  if (shown !== undefined) host.stderr.write(`${wrapText(terminalSafeText(shown), host.stderr.columns)}\n\n`);
  const answer = await ask(host, what);
  if (!/^y(es)?$/i.test(answer.trim())) throw new DeskError('cancelled', 'Nothing was changed or sent.');
}

async function ask(host: Host, what: string): Promise<string> {
  const question = `${terminalSafeLine(what)} Go on? [y/N] `;
  if (host.stdin.readableEnded !== true) return readLine(host, question);
  // The text was read from stdin until Ctrl-D, so the answer must come from the terminal itself.
  const terminal = openTerminal(what);
  try {
    return await readLine({ ...host, stdin: terminal }, question);
  } finally {
    terminal.destroy();
  }
}

function openTerminal(what: string): ReadStream {
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    throw new UsageError(`${what} The input has ended, so there is no way to ask: add --yes to do it.`);
  }
}

/** Whether the desk can ask the user a question: stdin and stderr are a terminal. */
export function canAsk({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}
