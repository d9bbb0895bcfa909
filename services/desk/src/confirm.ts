import { DeskError, UsageError } from './desk-error.js';
import type { Host } from './host.js';
import { cleanLine, cleanText } from './print/clean.js';
import { wrapText } from './print/wrap.js';
import { readLine } from './read-line.js';

/**
 * Asks before what somebody gets a mail about or what cannot be undone, unless the user said `--yes`. `preview` shows what
 * others will get, or what is about to change; it is made only where somebody is asked.
 *
 * @throws UsageError where nobody can be asked; DeskError `cancelled` if the answer is not yes.
 */
export async function confirm(
  { host, yes }: { host: Host; yes: boolean },
  what: string,
  preview?: string | (() => Promise<string>),
): Promise<void> {
  if (yes) return;
  if (!canAsk(host)) throw new UsageError(`${what} There is no terminal to ask on: add --yes to do it.`);
  const shown = typeof preview === 'function' ? await preview() : preview;
  if (shown !== undefined) host.stderr.write(`${wrapText(cleanText(shown), host.stderr.columns)}\n\n`);
  const answer = await readLine(host, `${cleanLine(what)} Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new DeskError('cancelled', 'Nothing was changed.');
}

/** Whether somebody sits at a terminal who can be asked. */
export function canAsk({ stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}
