import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freshFolder } from '@knowledge/runtime/testing';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SupervisedProgram, supervise, until } from '../processes/supervise.js';
import { freePort } from '../runner/ports.js';
import { findMongodBinary } from './find.js';
import { describeMongod, mongodUri, readDataVersion } from './program.js';

interface Mongod extends SupervisedProgram {
  readonly port: number;
}

const dataDir = freshFolder();
let lines: string[];
let pids: number[];
const running: Mongod[] = [];

const binary = await findMongodBinary({ env: process.env, log: () => undefined });

beforeEach(() => {
  lines = [];
  pids = [];
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((mongod) => mongod.stop()));
});

describe('the mongod of a local start', { timeout: 60_000 }, () => {
  it('keeps its data over a clean stop', async () => {
    const first = await start();
    await write(first, 'kept');
    await first.stop();
    const second = await start(first.port);
    expect(await read(second)).toBe('kept');
    expect(readDataVersion(dataDir)).toBe(binary.version);
    expect(lines).toEqual([]);
  });

  it('comes up after a kill -9, with the lock file still there', async () => {
    const mongod = await start();
    await write(mongod, 'acknowledged');
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await until(AbortSignal.timeout(30_000), async () => lines.length === 1);
    expect(lines).toEqual([expect.stringContaining('SIGKILL')]);
    expect(readdirSync(join(dataDir, 'mongodb'))).toContain('mongod.lock');
    await until(AbortSignal.timeout(30_000), async () => lines.length === 2);
    expect(lines[1]).toBe(`is back (pid ${pids[1]})`);
    expect(await read(mongod)).toBe('acknowledged');
  });

  it('moves its data to another port, and stays there', async () => {
    const first = await start();
    await write(first, 'moved');
    await first.stop();
    // A server on the old port that never answers.
    const stranger = createServer().listen(first.port, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const second = await start();
    stranger.close();
    expect(second.port).not.toBe(first.port);
    expect(lines[0]).toBe(`moves from 127.0.0.1:${first.port} to 127.0.0.1:${second.port}`);
    expect(await read(second)).toBe('moved');
    await second.stop();
    await start(second.port);
    expect(lines.filter((line) => line.startsWith('moves'))).toHaveLength(1);
  });
});

async function start(port?: number): Promise<Mongod> {
  const log = (line: string) => lines.push(line);
  const chosen = await freePort(port);
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const program = describeMongod({ binary, dataDir, port: chosen, env: process.env, log });
  const logFile = join(dataDir, 'logs', 'mongod.log');
  const mongod = { ...supervise(program, { logFile, log, onLaunch: (pid) => pids.push(pid) }), port: chosen };
  running.push(mongod);
  await mongod.ready;
  return mongod;
}

async function write(mongod: Mongod, word: string): Promise<void> {
  const client = new MongoClient(mongodUri(mongod.port));
  await client.db('test').collection('words').insertOne({ word });
  await client.close();
}

async function read(mongod: Mongod): Promise<unknown> {
  const client = new MongoClient(mongodUri(mongod.port));
  const found = await client.db('test').collection('words').findOne();
  await client.close();
  return found?.word;
}
