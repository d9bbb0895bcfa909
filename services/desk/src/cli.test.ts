import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { runCaptured } from './command-lines.js';

/** Runs a command line on a machine without a running system. */
function run(...argv: string[]) {
  const interrupted = new AbortController().signal;
  return runCaptured(argv, { env: {}, cwd: '/nowhere', stdin: new PassThrough(), interrupted });
}

it.each([
  ['artcle list', /^knowledge: usage: unknown command 'artcle' \(Did you mean article\?\) .*--help.*\n$/],
  ['article lst', /Did you mean list\?/],
  ['article list --sitee io', /Did you mean --site\?/],
  ['article list --reason x', /unknown option '--reason'\. Add --help/],
  ['article blame --help', /unknown command 'blame'\. Add --help/],
  ['artcle --help', /Did you mean article\?/],
  ['article list --site com', /Allowed choices are io, org/],
  ['article list --limit -1', /Give a whole number/],
  ['search find x --kind letter', /Allowed choices are article, object, story/],
  ['search find', /missing required argument 'word'/],
  ['article publish', /missing required argument 'slug'/],
  ['highlight set a', /required option '--site <site>'/],
  ['quota show client', /client:ID, email:ADDRESS or address:IP/],
  ['quota show constructor:x', /client:ID, email:ADDRESS or address:IP/],
  ['review list --group ', /It must not be empty/],
  ['prompt create --site org --question x --opens-at soon', /Give a time/],
  ['token issue --email a@b.c --agent x --scope write:all', /Scopes are write:inquiry/],
  ['token revoke ID', /ID is not an id: give a UUID, or at least its first 4 characters/],
  ['token revoke 00000000-0000-4000-8000-000000000000', /add --yes/],
])('explains in one line what is wrong with "%s" (exit code 2)', async (line, message) => {
  const services = ['--content', 'localhost:1', '--identity', 'localhost:1'];
  const { code, stdout, stderr } = await run(...line.split(' '), ...services);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.match(/\n/g)).toHaveLength(1);
});

it('refuses an empty text for a required option', async () => {
  const { code, stderr } = await run('person', 'export', '--email', 'a@b.example', '--reason', ' ');
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'knowledge: usage: --reason <text> must not be empty.\n' });
});

it('reports errors to programs in JSON', async () => {
  const { code, stdout, stderr } = await run('article', 'list', '--state', 'lost', '--json');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ ok: false, error: 'usage' });
});

it('explains how to find a system if none runs (exit code 1)', async () => {
  for (const line of ['article list', 'status', 'watch']) {
    const { code, stderr } = await run(...line.split(' '));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^knowledge: unavailable: No running system found .*npm start.*--data-dir.*--content HOST:PORT/,
    );
  }
});

it('reports within 3 s that a service is down (exit code 1)', async () => {
  const began = Date.now();
  const { code, stderr } = await run('article', 'list', '--content', '127.0.0.1:1');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^knowledge: unavailable: content at 127\.0\.0\.1:1 does not answer: nothing listens there\./);
  expect(Date.now() - began).toBeLessThan(3000);
});

it('has help with examples for every command and group', async () => {
  const seen: string[] = [];
  const visit = async (...path: string[]): Promise<void> => {
    const { code, stdout } = await run(...path, '--help');
    expect({ path, code }).toEqual({ path, code: 0 });
    if (path.length > 0) expect(stdout, path.join(' ')).toMatch(/Examples:\n {2}\$ knowledge /);
    seen.push(path.join(' '));
    const commands = /\nCommands:\n([\s\S]*?)(\n\n|$)/.exec(stdout)?.[1] ?? '';
    const names = [...commands.matchAll(/^ {2}([\w-]+)/gm)].map((match) => match[1] as string);
    for (const name of names) if (name !== 'help') await visit(...path, name);
  };
  await visit();
  expect(seen.length).toBeGreaterThan(35);
  expect(seen).toContain('review retract');
});

it('shows the help of a group if the command is missing (exit code 2)', async () => {
  const { code, stdout, stderr } = await run('review');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Usage: knowledge review');
});
