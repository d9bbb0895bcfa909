import { spawnSync } from 'node:child_process';
import type { Host } from '../host.js';

/**
 * Shows a text in `$PAGER`, or in `less -FRX`, if the text is longer than the terminal. Returns false if the caller
 * must print the text: the text is short, or there is no terminal or no pager.
 */
export function showInPager(text: string, { stdin, stdout, env }: Pick<Host, 'stdin' | 'stdout' | 'env'>): boolean {
  const pager = (env.PAGER ?? 'less -FRX').trim();
  if (!stdin.isTTY || !stdout.isTTY || pager === '' || pager === 'cat' || env.TERM === 'dumb') return false;
  if (lineCount(text, stdout.columns ?? 80) < (stdout.rows ?? Number.POSITIVE_INFINITY)) return false;
  const { status } = spawnSync('/bin/sh', ['-c', pager], {
    input: `${text}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, LESS: env['LESS'] ?? 'FRX' },
  });
  // The exit codes 126 and 127 mean that the shell could not start the pager.
  return status !== null && status !== 126 && status !== 127;
}

function lineCount(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
