import { PassThrough } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/desk-error.js';
import { Printer } from '../base/printer.js';
import type { Session } from '../base/session.js';
import { type AddCommands, type CommandHandler, command, eachNamed, group, list, result } from './command-table.js';
import { DeskCommand } from './desk-command.js';

/** Runs a command line with the commands of a table, and returns what it printed. */
async function run(add: AddCommands, argv: readonly string[], { yes = true, json = true } = {}): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const host = { stdin, stdout, stderr, env: {}, cwd: '/', interrupted: new AbortController().signal };
  const session = { host, yes, print: new Printer(host, json) } as Pick<Session, 'host' | 'yes' | 'print'> as Session;
  const handle: CommandHandler = (work) => async () => void (await work(session));
  const program = new DeskCommand('knowledge').exitOverride().configureOutput({ outputError: () => undefined });
  add(program, handle);
  await program.parseAsync(argv, { from: 'user' });
  return String(stdout.read() ?? '');
}

function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a number.');
  return Number(text);
}

describe('what a command takes', () => {
  const show = group({
    commands: {
      show: result({
        about: 'show what was given',
        takes: {
          '<id>': 'an id',
          '<words...>': 'some words',
          '--by-title': 'a flag',
          '--no-scopes': 'a flag that is set without it',
          '--by <name>': 'a name',
          '--order <n>': { about: 'a number', parse: parseCount },
          '--kind <kind...>': { about: 'a choice', choices: ['a', 'b'], initial: ['a'] },
          '--reason <text>': { about: 'why', required: true },
        },
        run: async (_, given) => {
          // The types of the values follow from the words of the help.
          const typed: {
            readonly id: string;
            readonly words: string[];
            readonly byTitle: boolean;
            readonly scopes: boolean;
            readonly by: string | undefined;
            readonly order: number | undefined;
            readonly kind: string[];
            readonly reason: string;
          } = given;
          return typed;
        },
        text: ({ id }, _, { reason }) => `${id}: ${reason}`,
        examples: ['show x y --reason z'],
      }),
    },
    examples: ['show x y --reason z'],
  });

  it('has the names that commander gives it', async () => {
    const given = JSON.parse(await run(show, ['show', 'x', 'y', 'z', '--reason', 'r']));
    expect(given).toEqual({ id: 'x', words: ['y', 'z'], byTitle: false, scopes: true, kind: ['a'], reason: 'r' });
    const all = ['show', 'x', 'y', '--by-title', '--no-scopes', '--order', '2', '--kind', 'a', 'b', '--reason', 'r'];
    expect(JSON.parse(await run(show, all))).toMatchObject({
      byTitle: true,
      scopes: false,
      order: 2,
      kind: ['a', 'b'],
    });
    expect(await run(show, all, { json: false })).toBe('x: r\n');
  });

  it.each([
    [['show', 'x', 'y']],
    [['show', ' ', 'y', '--reason', 'r']],
    [['show', 'x', 'y', '--reason', 'r', '--by', '']],
    [['show', 'x', '--reason', 'r']],
    [['show', 'x', 'y', '--reason', 'r', '--order', 'many']],
    [['show', 'x', 'y', '--reason', 'r', '--kind', 'c']],
  ])('is refused in %j', async (argv) => {
    await expect(run(show, argv)).rejects.toThrow();
  });
});

describe('an entry', () => {
  const done: string[] = [];
  const remove = group({
    commands: {
      remove: eachNamed({
        takes: { '<id...>': 'some ids' },
        calls: () => done.push('connect'),
        find: async (_, word) => `${word}-found`,
        question: ({ id }) => `Remove ${id.length}?`,
        preview: async () => 'nothing is kept',
        run: async (_, id) => ({ id: String(done.push(id)), name: id }),
        text: ({ name }) => `${name} is removed.`,
        examples: [],
      }),
    },
    examples: [],
  });

  it('connects, finds what the words mean, asks and then does each thing once', async () => {
    done.length = 0;
    expect(await run(remove, ['remove', 'a', 'b', 'a'], { json: false })).toBe(
      'a-found is removed.\nb-found is removed.\n',
    );
    expect(done).toEqual(['connect', 'a-found', 'b-found']);
  });

  it('does nothing if nobody can be asked', async () => {
    done.length = 0;
    await expect(run(remove, ['remove', 'a', 'b', 'a'], { yes: false })).rejects.toThrow(
      new UsageError('Remove 2? There is no terminal to ask on: add --yes to do it.'),
    );
    expect(done).toEqual(['connect']);
  });

  it('may print what it wants', async () => {
    const say = command({ run: async ({ print }) => print.event({ said: true }, () => ''), examples: [] });
    expect(await run(group({ commands: { say }, examples: [] }), ['say'])).toBe('{"said":true}\n');
  });
});

describe('a list', () => {
  const pages = group({
    commands: {
      list: list({
        takes: { '--of <text>': { about: 'whose', initial: '' }, '--limit <n>': { about: 'most', parse: parseCount } },
        run: async (_, { of }, { pageSize, pageToken }) => {
          const from = Number(pageToken);
          const items =
            of === '' ? [] : Array.from({ length: Math.min(pageSize, 250 - from) }, (_, at) => ({ id: at + from }));
          return { items, nextPageToken: of === '' || from + items.length === 250 ? '' : String(from + items.length) };
        },
        items: ({ items }) => items,
        columns: { id: 'id' },
        one: 'thing',
        none: ({ of }) => `Nothing of ${of}`,
        examples: [],
      }),
    },
    examples: [],
  });

  it('has the items of all pages, or as many as the limit allows', async () => {
    expect(JSON.parse(await run(pages, ['list', '--of', 'me']))).toHaveLength(250);
    expect(JSON.parse(await run(pages, ['list', '--of', 'me', '--limit', '201']))).toHaveLength(201);
    expect(await run(pages, ['list'], { json: false })).toBe('Nothing of \n');
  });
});
