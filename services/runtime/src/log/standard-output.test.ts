import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BufferedOutput } from './standard-output.js';

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

describe('the output', () => {
  it('writes what is little after a moment, and what is much at once, in order', async () => {
    const output = new BufferedOutput(descriptor);
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

  it('writes out at once for a fatal line and at the end', () => {
    const output = new BufferedOutput(descriptor);
    output.write('last words\n');
    output.flushSync();
    expect(written()).toBe('last words\n');
  });

  it('gives up, and lets the process end, when its reader is gone', async () => {
    // A pipe whose reader ends: the child reads one line and leaves.
    const reader = spawn('head', ['-n', '1'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const { fd } = (reader.stdin as unknown as { _handle: { fd: number } })._handle;
    reader.stdin.on('error', () => undefined);
    const output = new BufferedOutput(fd);
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
});
