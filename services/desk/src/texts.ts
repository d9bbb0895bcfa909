import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { canAsk } from './confirm.js';
import { DeskError, UsageError } from './desk-error.js';
import type { Host } from './host.js';

/** How a long text was given: by an option, by a file, or not at all. */
export interface GivenText {
  readonly text?: string;
  readonly file?: string;
}

/**
 * A text of the user's: `--text`, where `-` is standard input; `--file`; or, on a terminal, what they write in `$EDITOR` above
 * the context that is shown there.
 *
 * @throws UsageError if there is none; DeskError `cancelled` for an empty one.
 */
export async function readText(host: Host, { text, file }: GivenText, context: string): Promise<string> {
  if (text !== undefined && file !== undefined) throw new UsageError('Give --text or --file, not both.');
  if (text === '-' || file === '-') return required(await readAll(host.stdin));
  if (text !== undefined) return required(text);
  if (file !== undefined) return required(readUtf8(resolve(host.cwd, file), file));
  if (!canAsk(host)) throw new UsageError('Give the text: --text TEXT, --text - for standard input, or --file PATH.');
  return required(edit(host, context));
}

function required(text: string): string {
  const trimmed = text.replace(/\r\n?/g, '\n').trim();
  if (trimmed === '') throw new DeskError('cancelled', 'The text is empty; nothing was changed.');
  return trimmed;
}

function readUtf8(path: string, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'it is not UTF-8';
    throw new UsageError(`--file ${name} cannot be read (${code}).`);
  }
}

const scissors = '------------------------ write above this line; what is below is left out ------------------------';

function edit({ env, stderr }: Host, context: string): string {
  const editor = (env['VISUAL'] ?? env['EDITOR'] ?? 'vi').trim() || 'vi';
  const directory = mkdtempSync(join(tmpdir(), 'knowledge-'));
  const path = join(directory, 'text.md');
  try {
    writeFileSync(path, `\n\n${scissors}\n\n${context}\n`, { mode: 0o600 });
    stderr.write(`Waiting for ${editor} …\n`);
    const { status } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit', env });
    if (status !== 0) throw new DeskError('cancelled', `${editor} did not end well; nothing was changed.`);
    return readFileSync(path, 'utf8').split(scissors, 1)[0] ?? '';
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
