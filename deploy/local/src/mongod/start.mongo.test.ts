import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../processes/process-id.js';
import { findMongodBinary, type MongodBinary } from './find.js';
import { type RunningMongod, readMongodState, startMongod } from './start.js';

let binary: MongodBinary;
let dataDir: string;
let lines: string[];
const running: RunningMongod[] = [];

beforeAll(async () => {
  binary = await findMongodBinary({ env: process.env, log: () => undefined });
}, 300_000);

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'start-mongod-'));
  lines = [];
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((mongod) => mongod.stop()));
  rmSync(dataDir, { recursive: true, force: true });
});

describe('startMongod', { timeout: 60_000 }, () => {
  it('keeps data and port over a clean stop', async () => {
    const first = await start();
    await write(first, 'kept');
    await first.stop();
    expect(isAlive(first.processId)).toBe(false);
    const second = await start();
    expect(second.port).toBe(first.port);
    expect(await read(second)).toBe('kept');
    expect(readMongodState(dataDir)).toEqual({ port: first.port, version: binary.version });
    expect(lines).toEqual([]);
  });

  it('comes up after a kill -9, with the lock file still there', async () => {
    const first = await start();
    await write(first, 'acknowledged');
    process.kill(first.processId.pid, 'SIGKILL');
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(readdirSync(join(dataDir, 'mongodb'))).toContain('mongod.lock');
    const second = await start();
    expect(await read(second)).toBe('acknowledged');
  });

  it('ends a mongod that still runs on the same data', async () => {
    const first = await start();
    const second = await start();
    expect(isAlive(first.processId)).toBe(false);
    expect(second.port).toBe(first.port);
    expect(lines).toEqual([expect.stringContaining(`pid ${first.processId.pid}`)]);
  });

  it('moves to another port when somebody else has the kept one, and keeps the new one', async () => {
    const first = await start();
    await write(first, 'moved');
    await first.stop();
    const stranger = createServer().listen(first.port, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const second = await start();
    stranger.close();
    expect(second.port).not.toBe(first.port);
    expect(await read(second)).toBe('moved');
    await second.stop();
    expect((await start()).port).toBe(second.port);
  });

  it('refuses a configured port that is taken', async () => {
    const first = await start();
    const other = mkdtempSync(join(tmpdir(), 'start-mongod-'));
    const refused = startMongod({ binary, dataDir: other, port: first.port, log: () => undefined });
    await expect(refused).rejects.toThrow(`Port ${first.port}, configured for MongoDB, is taken`);
    rmSync(other, { recursive: true });
  });
});

async function start(): Promise<RunningMongod> {
  const mongod = await startMongod({ binary, dataDir, log: (line) => lines.push(line) });
  running.push(mongod);
  return mongod;
}

async function write(mongod: RunningMongod, word: string): Promise<void> {
  const client = new MongoClient(mongod.uri);
  await client.db('test').collection('words').insertOne({ word });
  await client.close();
}

async function read(mongod: RunningMongod): Promise<unknown> {
  const client = new MongoClient(mongod.uri);
  const found = await client.db('test').collection('words').findOne();
  await client.close();
  return found?.word;
}
