import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openOutput } from './standard-output.js';

const here = fileURLToPath(new URL('.', import.meta.url));
/** The tested module as JavaScript, since the tests run it in a child process. */
const output = stripTypes(readFileSync(join(here, 'standard-output.ts'), 'utf8'));

let folder: string;
let file: string;
let descriptor: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
  file = join(folder, 'log');
  descriptor = openSync(file, 'a');
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});
const written = () => readFileSync(file, 'utf8');

it('writes few lines after a delay, and many lines at once, in order', async () => {
  const output = openOutput(descriptor);
  output.write('first\n');
  expect(written()).toBe('');
  await vi.waitFor(() => expect(written()).toBe('first\n'));
  const lines = Array.from({ length: 5000 }, (_, at) => `line ${at} é\n`);
  for (const line of lines) output.write(line);
  await new Promise<void>((resolve) => {
    output.flush(resolve);
  });
  expect(written()).toBe(`first\n${lines.join('')}`);
});

it('writes the rest when asked in the middle of a write, each line once', async () => {
  const output = openOutput(descriptor);
  const lines = Array.from({ length: 2000 }, (_, at) => `a line that is not short ${at}\n`);
  for (const line of lines) output.write(line);
  output.flushSync();
  await vi.waitFor(() => expect(written().split('\n').sort()).toEqual(lines.join('').split('\n').sort()));
});

it('writes everything at once for a fatal line and at the end', () => {
  const output = openOutput(descriptor);
  output.write('last words\n');
  output.flushSync();
  expect(written()).toBe('last words\n');
});

it('stops writing when its reader is gone', async () => {
  // The reader of this pipe reads one line and ends.
  const reader = spawn('head', ['-n', '1'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const { fd } = (reader.stdin as unknown as { _handle: { fd: number } })._handle;
  reader.stdin.on('error', () => undefined);
  const output = openOutput(fd);
  output.write('a line\n');
  output.flushSync();
  await once(reader, 'exit');
  output.write('nobody reads this\n');
  output.flushSync();
  output.write('nor this\n');
  await new Promise<void>((resolve) => {
    output.flush(resolve);
  });
});

it.each([1, 5000])('lets a process end whose reader is gone, with %i unread lines', async (count) => {
  const program = `${output}
      standardOutput().write('first\\n');
      standardOutput().flushSync();
      process.once('message', () => {
        for (let at = 0; at < ${count}; at++) standardOutput().write('nobody reads this\\n');
        process.disconnect();
      });`;
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, {
    cwd: here,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    timeout: 10_000,
  });
  const ended = once(child, 'exit');
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.stdout?.destroy();
  child.send('the reader is gone');
  expect(await ended).toEqual([0, null]);
});

function stripTypes(source: string): string {
  return transpileModule(source, { compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ESNext } })
    .outputText;
}
