import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { runCaptured } from '../command-lines.js';

const directory = ownFolder();
for (const shell of ['bash', 'zsh', 'fish']) {
  const host = { env: {}, cwd: '/', stdin: new PassThrough(), interrupted: new AbortController().signal };
  const { code, stdout } = await runCaptured(['completion', shell], host);
  expect(code).toBe(0);
  writeFileSync(join(directory, shell), stdout);
}

/** Whether to skip the tests of a shell that is not installed. CI never skips them. */
function isLeftOut(shell: string): boolean {
  return process.env['CI'] === undefined && spawnSync(shell, ['--version']).status !== 0;
}

const cases: [line: string[], some: string[], none: string[]][] = [
  [[''], ['article', 'review', 'completion'], ['publish']],
  [['rev'], ['review'], ['article']],
  [['review', ''], ['next', 'answer', 'list'], ['article']],
  [['review', 'list', '--s'], ['--state', '--site'], ['--type']],
  [
    ['review', 'list', '--state', ''],
    ['pending_review', 'published'],
    ['--site', 'draft'],
  ],
  [['--site', 'org', 'article', 'list', '--state', ''], ['draft', 'scheduled'], ['pending_review']],
  [['search', ''], ['find', 'gaps'], ['article']],
  [['search', 'find', 'sso', '--kind', ''], ['article', 'object', 'story'], ['draft']],
  [['completion', ''], ['bash', 'zsh', 'fish'], ['review']],
];

it.each(cases)('completes %j in bash', (line, some, none) => {
  const words = ['knowledge', ...line];
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _knowledge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', join(directory, 'bash'), ...words], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(some));
  for (const word of none) expect(stdout.split('\n')).not.toContain(word);
});

it.skipIf(isLeftOut('fish')).each(cases)('completes %j in fish', (line, some, none) => {
  const script = `source ${join(directory, 'fish')}; complete -C ${JSON.stringify(['knowledge', ...line].join(' '))}`;
  const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
  const words = stdout.split('\n').map((each) => each.split('\t')[0]);
  expect(words).toEqual(expect.arrayContaining(some));
  for (const word of none) expect(words).not.toContain(word);
});

it.skipIf(isLeftOut('zsh'))('is registered as a function of zsh', () => {
  const script = `autoload -U compinit; compinit -D; source ${join(directory, 'zsh')}; echo $_comps[knowledge]`;
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '_knowledge\n', stderr: '' });
});
