import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findMongodBinary } from '@knowledge/local/mongod';
import { ownFolder } from '@knowledge/runtime/testing';
import { MongoClient } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { until } from '../harness/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dir = ownFolder();
const { path: binary } = await findMongodBinary({ env: process.env, log: () => undefined });
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const mongod of running) if (mongod.kill('SIGKILL')) await once(mongod, 'exit');
});

/** Starts a mongod with a folder of its own. It may not answer yet. */
function startMongod(port: number, ...more: string[]): void {
  const options = ['--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket', ...more];
  running.push(spawn(binary, ['--dbpath', mkdtempSync(join(dir, 'db-')), ...options], { stdio: 'ignore' }));
}

const port = await freePort();
const standalone = `127.0.0.1:${port}`;
startMongod(port);
const client = new MongoClient(`mongodb://${standalone}`);
await until('a mongod', () => client.db('admin').command({ ping: 1 }), 60_000).finally(() => client.close());

/** Runs a program until it ends by itself. */
async function run(program: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

const wrong: [name: string, uri: () => string, line: () => string][] = [
  [
    'a mongod without a replica set',
    () => `mongodb://${standalone}`,
    () =>
      `MONGODB_URI leads to ${standalone}, a mongod that is in no replica set. Start it with --replSet rs0 and call rs.initiate() once.`,
  ],
  [
    'another replica set',
    () => `${process.env['MONGODB_TEST_URI']?.replace(/\?.*/, '')}?directConnection=true&replicaSet=prod`,
    () => 'is in the replica set rs0. Write replicaSet=rs0.',
  ],
  [
    'a password that is not escaped',
    () => 'mongodb://ada:100%sure@127.0.0.1/',
    () => 'MONGODB_URI cannot be used: it is no valid connection string. In user and password write % as %25,',
  ],
];

test.each(wrong)('a service ends and says why, and how to mend it, for %s', async (_, uri, line) => {
  const env = { MONGODB_URI: uri(), GRPC_ADDRESS: '127.0.0.1:0' };
  for (const task of [[], ['migrate']]) {
    const { code, err } = await run(['services/quota/bundle/main.js', ...task], env);
    expect(err).toMatch(/^The configuration is wrong:\n {2}MONGODB_URI .*\n$/);
    expect(err).toContain(line());
    expect(err).not.toContain('sure');
    expect(code).toBe(1);
  }
});

test('a service that is started before such a mongod ends as soon as that answers', async () => {
  const port = await freePort();
  const service = run(['services/quota/bundle/main.js'], {
    MONGODB_URI: `mongodb://127.0.0.1:${port}`,
    GRPC_ADDRESS: '127.0.0.1:0',
  });
  startMongod(port);
  expect(await service).toMatchObject({ code: 1, err: expect.stringContaining('in no replica set') });
});

test('a service leaves the database of another service as it is', async () => {
  const database = `failed_starts_${randomUUID().slice(0, 8)}`;
  const env = { MONGODB_URI: process.env['MONGODB_TEST_URI'] ?? '', MONGODB_DATABASE: database };
  const client = new MongoClient(env.MONGODB_URI);
  try {
    expect(await run(['services/quota/bundle/main.js', 'migrate'], env)).toMatchObject({ code: 0, err: '' });
    const before = await client.db(database).listCollections().toArray();
    const err = `The configuration is wrong:\n  MONGODB_DATABASE is ${database}, the database of quota; expected one of content alone.\n`;
    for (const task of [[], ['migrate']]) {
      const started = run(['services/content/bundle/main.js', ...task], { ...env, GRPC_ADDRESS: '127.0.0.1:0' });
      expect(await started).toMatchObject({ code: 1, err });
    }
    expect(await client.db(database).listCollections().toArray()).toEqual(before);
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
  }
});

test('a service says of a replica set that nobody initiated what to call, and goes on when it is', async () => {
  const port = await freePort();
  startMongod(port, '--replSet', 'rs0');
  const env = { MONGODB_URI: `mongodb://127.0.0.1:${port}`, PATH: process.env['PATH'] ?? '' };
  const migration = spawn(process.execPath, ['services/quota/bundle/main.js', 'migrate'], { cwd: root, env });
  let out = '';
  migration.stdout.on('data', (bytes) => {
    out += bytes;
  });
  const ended = once(migration, 'exit');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    await until('what to call', () => out.includes('call rs.initiate() there once'), 60_000);
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
    expect(await ended).toEqual([0, null]);
    expect(out.match(/rs\.initiate/g)).toHaveLength(1);
  } finally {
    await client.close();
    migration.kill('SIGKILL');
  }
});

test.each(['GRPC_ADDRESS', 'HEALTH_ADDRESS', 'METRICS_ADDRESS'])(
  'a service says which address is taken: %s',
  async (name) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
    const env = { GRPC_ADDRESS: '127.0.0.1:0', MONGODB_URI: 'mongodb://127.0.0.1:1', [name]: address };
    const { code, err } = await run(['services/quota/bundle/main.js'], env);
    holder.close();
    expect(`\n${err}`).toContain(
      `\nThe address ${address} is taken by another program, or two variables name it. Choose another port.\n`,
    );
    expect(err).not.toContain('stack');
    expect(code).toBe(1);
  },
);

test('the local start shows that line and ends', async () => {
  const dataDir = join(dir, 'data');
  const env = { MONGODB_URI: `mongodb://${standalone}`, DATA_DIR: dataDir, PORT: '0', SAMPLE: 'off' };
  const { code, out } = await run(['deploy/local/bin/start.mjs'], env);
  expect(out).toMatch(/ does not start\. The configuration is wrong:\n {2}MONGODB_URI leads to .* in no replica set\./);
  expect(code).toBe(1);
});

test('the local start ends where the system lets nobody make its directory', async () => {
  const { code, out } = await run(['deploy/local/bin/start.mjs'], { DATA_DIR: '/proc/knowledge', PORT: '0' });
  expect(out).toContain("mkdir '/proc/knowledge'");
  expect(code).toBe(1);
});

test('Ctrl-C ends a start whose runner answers nothing any more', async () => {
  const dataDir = join(dir, 'stuck');
  const env = { MONGODB_URI: 'mongodb://127.0.0.1:1', DATA_DIR: dataDir, PORT: '0', PATH: process.env['PATH'] ?? '' };
  const child = spawn(process.execPath, ['deploy/local/bundle/main.js'], { cwd: root, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const pid = await until('a runner', () => Number(JSON.parse(readFileSync(join(dataDir, 'runner.lock'), 'utf8')).pid));
  process.kill(pid, 'SIGSTOP');
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('the commands for operators say it too, in one line, and explain themselves when asked', async () => {
  const operations = ['deploy/operations/bundle/main.js'];
  const refused = await run([...operations, 'backup', dir], { MONGODB_URI: 'mongodb://ada:100%sure@127.0.0.1/' });
  expect(refused.err).toMatch(/^backup: The configuration is wrong:\n {2}MONGODB_URI cannot be used: .*\n$/);
  expect((await run([...operations, 'backup'], {})).err).toMatch(/^backup takes one folder\.\n/);
  const help = await run([...operations, '--help'], {});
  expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Commands for operators') });
});
