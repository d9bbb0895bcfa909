import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findMongodBinary } from '@knowledge/local/mongod';
import { ownFolder } from '@knowledge/runtime/testing';
import { MongoClient } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.js';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../deploy/operations/bundle/main.js', import.meta.url));
const replicaSet = 'knowledge';
const password = 'p@ss/wörd';

const folder = ownFolder();
const port = await freePort();
const host = `127.0.0.1:${port}`;
const key = file('key-file', `${randomBytes(300).toString('base64')}\n`);
mkdirSync(join(folder, 'data'));
const log = (): void => undefined;
const binary = await findMongodBinary({ env: process.env, log, signal: AbortSignal.timeout(60_000) });
const options = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', join(folder, 'data')];
const cache = ['--wiredTigerCacheSizeGB', '0.25'];
const mongod = spawn(binary.path, [...options, ...cache, '--replSet', replicaSet, '--keyFile', key], {
  stdio: 'ignore',
});
await once(mongod, 'spawn');
afterAll(async () => {
  if (mongod.kill('SIGKILL')) await once(mongod, 'exit');
});

test('a new member with a key file becomes a replica set, and each owner can use only its own database', async () => {
  const first = await initiate();
  expect(first).toContain(`initiated ${replicaSet} of ${host}`);
  expect(first).toContain('created the user content');
  expect(first).not.toContain(password);

  const content = await connect('content', password);
  const ours = content.db('knowledge_content').collection<{ _id: number }>('articles');
  await ours.insertOne({ _id: 1 });
  await content.db('knowledge_content').command({ collMod: 'articles', validator: {} });
  await expect(content.db('knowledge_quota').collection('counters').findOne()).rejects.toThrow(/not authorized/);
  await expect(content.db('admin').command({ replSetGetStatus: 1 })).rejects.toThrow(/not authorized/);
  await content.close();

  const operator = await connect('operations', password);
  expect(await operator.db('knowledge_content').collection('articles').countDocuments()).toBe(1);
  await operator.close();
  const nobody = new MongoClient(`mongodb://${host}/?replicaSet=${replicaSet}`);
  await expect(nobody.db('knowledge_content').collection('articles').findOne()).rejects.toThrow(/requires auth/);
  await nobody.close();
});

test('running the command again only updates changed passwords', async () => {
  const again = await initiate('another');
  expect(again).toContain(`${replicaSet} is initiated already`);
  expect(again).toContain('the user content exists');
  const content = await connect('content', 'another');
  expect(await content.db('knowledge_content').collection('articles').countDocuments()).toBe(1);
  await content.close();
});

test('wrong usage, a wrong key and an unreachable member each give a clear error line', async () => {
  const failure = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    run(process.execPath, [program, 'initiate-replica-set', ...args]).then(
      () => ({ code: 0, stdout: '', stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  expect(await failure()).toMatchObject({ code: 1, stderr: expect.stringContaining('--hosts is missing') });
  expect(await failure('--hosts', host, '--owner', 'x')).toMatchObject({
    stderr: expect.stringContaining('DATABASE=FILE'),
  });
  const wrong = await failure('--hosts', host, '--key-file', file('wrong', 'wrong'), '--timeout', '2');
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('Authentication failed') });
  const away = await failure('--hosts', `127.0.0.1:${await freePort()}`, '--timeout', '2');
  expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining('waiting for 127.0.0.1') });
});

async function initiate(secret = password): Promise<string> {
  const [content, operations] = [file('content', uri('content', secret)), file('operations', uri('operations'))];
  const users = ['--owner', `knowledge_content=${content}`, '--operator', operations];
  const set = ['--hosts', host, '--replica-set', replicaSet, '--key-file', join(folder, 'key-file')];
  const { stdout } = await run(process.execPath, [program, 'initiate-replica-set', ...set, ...users]);
  return stdout;
}

function connect(user: string, secret: string): Promise<MongoClient> {
  return new MongoClient(uri(user, secret)).connect();
}

function uri(user: string, secret = password): string {
  return `mongodb://${user}:${encodeURIComponent(secret)}@${host}/?replicaSet=${replicaSet}&authSource=admin`;
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}
