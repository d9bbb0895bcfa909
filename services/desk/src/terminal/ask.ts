import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text as readAll } from 'node:stream/consumers';
import { ReadStream } from 'node:tty';
import { DeskError, UsageError } from '../base/desk-error.js';
import { type Host, readNamedFile, readUtf8 } from '../base/host.js';
import { terminalSafeLine, terminalSafeText, wrapText } from '../base/text.js';

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

async function ask(host: Host, what: string) {
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

function openTerminal(what: string) {
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

/** The options that give a long text. A command line contains at most one of them. */
interface TextOptions {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}

/** The first content of the file in `$EDITOR`: a draft, and below it text that the user can read. */
interface EditorContent {
  readonly draft?: string;
  readonly context: string;
}

/**
 * Gets a text from `--text`, from `--file` or, on a terminal, from `$EDITOR`, and passes it to `use`. If `use` fails, a
 * typed text is saved in a file, and the desk prints its path.
 *
 * @throws UsageError without a text; DeskError `cancelled` for an empty one; whatever `use` throws.
 */
export async function withText<Result>(
  host: Host,
  given: TextOptions,
  page: EditorContent,
  use: (text: string) => Promise<Result>,
): Promise<Result> {
  const text = await readGiven(host, given);
  const typed = text !== undefined && canAsk(host) && (given.text === '-' || given.file === '-');
  if (text !== undefined && !typed) return use(requireText(text));
  if (!canAsk(host)) {
    const ways = 'text' in given ? '--text TEXT, --text - for' : '--file - for';
    throw new UsageError(`Give the text: ${ways} standard input, or --file PATH.`);
  }
  const written = requireText(text ?? edit(host, page));
  try {
    return await use(written);
  } catch (error) {
    host.stderr.write(`${keep(written)}\n`);
    throw error;
  }
}

async function readGiven(host: Host, { text, file }: TextOptions) {
  if (text !== undefined && file !== undefined) throw new UsageError('Give --text or --file, not both.');
  if (text === '-' || file === '-') return readAll(host.stdin);
  if (file === undefined) return text;
  const name = `--file ${file}`;
  return readUtf8(readNamedFile(host, file, name), name);
}

function requireText(text: string) {
  const trimmed = text.replace(/\r\n?/g, '\n').trim();
  if (trimmed === '') throw new DeskError('cancelled', 'The text is empty; nothing was changed.');
  return trimmed;
}

const scissors = '------------------------ write above this line; what is below is left out ------------------------';

function edit({ env, stderr }: Host, { draft = '', context }: EditorContent) {
  const editor = (env['VISUAL'] ?? env['EDITOR'] ?? 'vi').trim() || 'vi';
  const directory = mkdtempSync(join(tmpdir(), 'knowledge-'));
  const path = join(directory, 'text.md');
  try {
    writeFileSync(path, `${draft}\n\n${scissors}\n\n${context}\n`, { mode: 0o600 });
    stderr.write(`Waiting for ${editor} …\n`);
    const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit', env });
    const [written = '', below] = readFileSync(path, 'utf8').split(scissors);
    if (status !== 0) throw new DeskError('cancelled', `${editor} ended with an error; ${unchanged(written)}`);
    // Without this line the text cannot be separated from the rest, and the rest must not be mailed.
    if (below === undefined) throw new DeskError('cancelled', `The line "write above" is gone; ${unchanged(written)}`);
    return written;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function unchanged(written: string) {
  return written.trim() === '' ? 'nothing was changed.' : `nothing was changed. ${keep(written.trim())}`;
}

/** Saves a text in a new file and returns a message with the path. */
function keep(text: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'knowledge-')), 'text.md');
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return `What you wrote is in ${path}`;
}

/** Asks a question and reads a line. The line is empty after the end of input or Ctrl-C. */
export async function readLine(
  { stdin, stderr, interrupted }: Pick<Host, 'stdin' | 'stderr' | 'interrupted'>,
  question: string,
): Promise<string> {
  // In terminal mode readline would handle Ctrl-C itself, and the process would get no signal.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const ended = once(lines, 'close').then(() => '');
  if (stdin.readableEnded) lines.close();
  try {
    return await Promise.race([lines.question(question, { signal: interrupted }).catch(() => ''), ended]);
  } finally {
    lines.close();
  }
}

/** Reads one key without Enter. Ctrl-C and the end of input give `\u0003`. */
export async function readKey({ stdin, stderr, interrupted }: Host, question: string): Promise<string> {
  stderr.write(question);
  stdin.setRawMode?.(true);
  stdin.resume();
  const done = new AbortController();
  const signal = AbortSignal.any([interrupted, done.signal]);
  try {
    if (stdin.readableEnded) return ctrlC;
    const asked = Date.now();
    const ended = once(stdin, 'end', { signal });
    for (;;) {
      const [typed = ctrlC] = await Promise.race([once(stdin, 'data', { signal }), ended]);
      const key = String(typed);
      if (!stdin.isTTY || key === ctrlC || Date.now() - asked >= unreadMs) return key;
    }
  } catch {
    return ctrlC;
  } finally {
    // What still waits for the next key must not stay.
    done.abort();
    stdin.setRawMode?.(false);
    stdin.pause();
    stderr.write('\n');
  }
}

const ctrlC = '\u0003';

/** A key of a person within this time was meant for the question before. */
const unreadMs = 400;
