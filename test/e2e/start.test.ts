import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunFile } from '@knowledge/local';
import { ownFolder } from '@knowledge/runtime/testing';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deskOf } from '../harness/desk.js';
import { freePort } from '../harness/free-port.js';
import { call, freshReader } from '../harness/http.js';
import { until } from '../harness/until.js';

// The real local start: one command with its own mongod, sample content and six processes.
const program = fileURLToPath(new URL('../../deploy/local/bin/start.mjs', import.meta.url));
const dataDir = ownFolder();
const names = ['content', 'contributions', 'desk', 'gateway', 'identity', 'mailbox', 'mongod', 'quota'];
const started: Start[] = [];

interface Start {
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  output(): string;
}

afterAll(async () => {
  for (const start of started) start.child.kill('SIGTERM');
  const ended = Promise.all(started.map((start) => start.ended));
  const tooLate = setTimeout(endGroup, 100_000);
  await ended.finally(() => clearTimeout(tooLate));
});

describe('npm start', () => {
  let first: Start;
  let addresses: Omit<RunFile, 'pids' | 'desk_sign_in'>;

  beforeAll(async () => {
    // Other starts on this machine want the usual port of the desk, too.
    writeFileSync(join(dataDir, 'ports.json'), JSON.stringify({ desk: await freePort() }));
    first = start();
    // Neither a desk that ends nor a service that does not answer may cost a part of the sample.
    await saying(first, 'importing sample');
    process.kill(programOf('services/desk/bin'), 'SIGKILL');
    await saying(first, 'trying again: The desk ended: SIGKILL');
    const pid = programOf('services/contributions/bundle');
    process.kill(pid, 'SIGSTOP');
    await saying(first, 'unavailable').finally(() => process.kill(pid, 'SIGCONT'));
    await ready(first);
    const { pids, desk_sign_in, ...rest } = run();
    addresses = rest;
  }, 600_000);

  test('prints the addresses and writes run.json when all processes respond', async () => {
    expect(run()).toEqual({
      gateway: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      grpc: {
        content: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        quota: expect.any(String),
        identity: expect.any(String),
        contributions: expect.any(String),
      },
      mongodb: expect.stringMatching(/^mongodb:\/\/127\.0\.0\.1:\d+/),
      mailbox: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      desk: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      desk_sign_in: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\?code=[\w-]{43}$/),
      pids: expect.any(Object),
    });
    expect(Object.keys(run().pids).sort()).toEqual(names);
    expect(Object.values(run().pids).filter((pid) => !lives(pid))).toEqual([]);
    for (const address of [run().gateway, run().mailbox, run().desk_sign_in])
      expect(first.output()).toContain(String(address));
    // Nothing that only a developer could act on.
    expect(first.output()).not.toContain('Warning');
    for (const url of [run().gateway, run().desk])
      expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ok: true, services: { content: 'up' } });
  });

  test('fills an empty database with sample content, like an editor', async () => {
    for (const site of ['io', 'org']) {
      expect((await get(`content?site=${site}`)).json).toMatchObject({ total: expect.toSatisfy((n) => n >= 30) });
      expect((await get(`curated?site=${site}`)).json.entries).not.toEqual([]);
      expect((await get(`objects/catalog?site=${site}`)).json.entries).not.toEqual([]);
    }
    expect((await get('prompts/active?site=org')).json).toMatchObject({ prompt: { question: expect.any(String) } });
  });

  test('adds a queue of ten contributions once, which agents handed in', async () => {
    const queue = await waiting();
    expect(queue.map(({ type }) => type).sort()).toEqual([
      ...['inquiry', 'inquiry', 'prompt_reply', 'prompt_reply'],
      ...Array(6).fill('story'),
    ]);
    expect(new Set(queue.map(({ site }) => site))).toEqual(new Set(['io', 'org']));
    expect(new Set(queue.map(({ language }) => language))).toEqual(new Set(['en', 'pl']));
    expect(queue.filter((each) => each.hidden_characters.length > 0)).toHaveLength(1);
  });

  test('stores every mail of the services in the mailbox', async () => {
    const { mailbox } = run();
    const port = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')).smtp;
    const mail = { from: 'a@example.org', to: 'b@example.org', subject: 'kept', text: 'x' };
    await createTransport(`smtp://127.0.0.1:${port}`).sendMail(mail);
    const list = await (await fetch(`${mailbox}/api/messages?to=b@example.org`)).json();
    expect(list).toMatchObject({ messages: [{ subject: 'kept', to: ['b@example.org'] }] });
  });

  test('refuses a second start with the same data', async () => {
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/already runs on .* \(pid \d+\)/);
    expect(run()).toMatchObject(addresses);
  });

  test.each(names)('starts %s again at the same address after it was killed', async (name) => {
    const before = run().pids[name] ?? 0;
    process.kill(before, 'SIGKILL');
    await until(`another ${name} in run.json`, () => run().pids[name] !== before);
    await until(`the log line about ${name}`, () => first.output().includes(`is back (pid ${run().pids[name]})`));
    expect(run()).toMatchObject(addresses);
    await until('a read', async () => (await get('content/rolling-out-sso?site=org')).status === 200, 10_000);
  });

  test('ends all processes on Ctrl-C with exit code 0, even if it arrives twice', async () => {
    const pids = Object.values(run().pids);
    first.child.kill('SIGINT');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(pids.filter(lives)).toEqual([]);
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false);
  });

  test('starts again within 10 s with the same addresses, content and mails', async () => {
    const begun = performance.now();
    const again = start();
    await ready(again);
    expect(performance.now() - begun).toBeLessThan(10_000 * crowding());
    expect(run()).toMatchObject(addresses);
    expect(again.output()).not.toContain('importing');
    expect((await get('content/rolling-out-sso?site=org')).status).toBe(200);
    expect(await (await fetch(`${run().mailbox}/api/messages?to=b@example.org`)).json()).toMatchObject({
      messages: [{ subject: 'kept' }],
    });
    expect(await waiting()).toHaveLength(10);
  });

  test('leaves no process when it is killed, and can start again', async () => {
    const pids = Object.values(run().pids);
    started.at(-1)?.child.kill('SIGKILL');
    await until('the end of all processes', () => pids.filter(lives).length === 0, 40_000);
    await until('the end of run.json', () => !existsSync(join(dataDir, 'run.json')));
    await ready(start());
    expect((await get('content/rolling-out-sso?site=org')).status).toBe(200);
    expect(run()).toMatchObject(addresses);
  }, 240_000);

  test('leaves nothing behind when its runner is killed', async () => {
    const pids = Object.values(run().pids);
    process.kill(JSON.parse(readFileSync(join(dataDir, 'runner.lock'), 'utf8')).pid, 'SIGKILL');
    await until('the end of all processes', () => pids.filter(lives).length === 0, 40_000);
    await until('the end of run.json', () => !existsSync(join(dataDir, 'run.json')), 40_000);
    expect(await started.at(-1)?.ended).toBe(1);
  }, 120_000);
});

interface Waiting {
  readonly type: string;
  readonly site: string;
  readonly language: string | null;
  readonly hidden_characters: readonly string[];
}

function waiting(): Promise<Waiting[]> {
  return deskOf({ addresses: run().grpc }).json('review', 'list');
}

function start(env: Record<string, string> = {}): Start {
  const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const child = spawn(process.execPath, [program], {
    env: { ...inherited, DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const made = { child, ended, output: () => output };
  started.push(made);
  return made;
}

const ready = (of: Start): Promise<void> => saying(of, 'is ready');

/** Waits until a start prints a text. @throws Error with all that it printed */
async function saying({ child, output }: Start, text: string): Promise<void> {
  const isOver = () => child.exitCode !== null || output().includes(text);
  await until(text, isOver, 170_000).catch(() => undefined);
  if (output().includes(text)) return;
  throw new Error(`The start did not print "${text}" (exit code ${child.exitCode}):\n${output()}`);
}

function run(): RunFile {
  return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunFile;
}

function get(path: string) {
  return call(`${run().gateway}/api/v1/${path}`, { headers: freshReader() });
}

/** Ends what does not end in order, so that it slows no other test, and shows why. */
function endGroup(): void {
  process.stderr.write(`npm start did not end:\n${started.map((each) => each.output()).join('\n')}\n`);
  process.kill(-JSON.parse(readFileSync(join(dataDir, 'runner.lock'), 'utf8')).pid, 'SIGKILL');
  for (const { child } of started) child.kill('SIGKILL');
}

/** The pid of a program while the system starts, when run.json is not there yet. */
function programOf(path: string): number {
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'runner.lock'), 'utf8')) as { pid: number };
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const runs = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(path);
  const found = children.find(runs);
  if (found === undefined) throw new Error(`${path} does not run.`);
  return found;
}

/** The load of each processor, at least 1. On a busy machine a start takes longer than 10 s. */
function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 1) / availableParallelism());
}

/** Whether a process runs. A process that has ended does not run, even if its parent has not reaped it. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
