import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { type Program, until } from '../processes/supervise.js';
import type { MongodBinary } from './find.js';

interface MongodOptions {
  readonly binary: MongodBinary;
  /** Contains `mongodb/` (the data) and `mongod.json` (the version that wrote it). */
  readonly dataDir: string;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** Called with a line about each unusual event. */
  readonly log: (line: string) => void;
}

const replicaSet = 'rs0';

/** A mongod on loopback as a replica set with one member. It is ready when it accepts writes. */
export function describeMongod({ binary, dataDir, port, env, log }: MongodOptions): Program {
  const dbPath = join(dataDir, 'mongodb');
  mkdirSync(dbPath, { recursive: true });
  return {
    name: 'mongod',
    command: [
      ...([binary.path, '--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1'] as const),
      '--nounixsocket',
      '--replSet',
      replicaSet,
      '--oplogSize',
      '1024',
      '--wiredTigerCacheSizeGB',
      '0.5',
      '--setParameter',
      'diagnosticDataCollectionEnabled=false',
      // Slow operations would be logged with addresses and texts in them.
      '--slowOpSampleRate',
      '0',
    ],
    env,
    untilReady: async (ended, pid) => {
      await until(ended, () => becomePrimary(port, pid, log));
      writeJsonFile(join(dataDir, 'mongod.json'), { version: binary.version });
    },
    stopGraceMs: 60_000,
  };
}

export function mongodUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`;
}

/** Reads which MongoDB version wrote the data; undefined for new data. */
export function readDataVersion(dataDir: string): string | undefined {
  const { version } = (readJsonFile(join(dataDir, 'mongod.json')) ?? {}) as { version?: unknown };
  return typeof version === 'string' ? version : undefined;
}

/** Returns whether mongod accepts writes. If not, takes the step that is missing for that. */
async function becomePrimary(port: number, pid: number, log: (line: string) => void) {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    readPreference: 'secondaryPreferred',
    serverSelectionTimeoutMS: 1_000,
    minHeartbeatFrequencyMS: 20,
    // The database `local` takes no retryable writes.
    retryWrites: false,
  });
  // An answer that never comes would hold the start for ever: the next try asks again.
  const limited = { signal: AbortSignal.timeout(10_000) };
  try {
    const admin = client.db('admin');
    if ((await admin.command({ hello: 1 }, limited)).isWritablePrimary === true) return true;
    const configurations = client.db('local').collection('system.replset');
    const kept = (await configurations.findOne({}, limited)) as { members?: { host: string }[] } | null;
    const host = `127.0.0.1:${port}`;
    if (kept === null) {
      await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } }, limited);
    } else if (kept.members?.[0]?.host !== host) {
      log(`moves from ${kept.members?.[0]?.host} to ${host}`);
      await configurations.updateOne({}, { $set: { 'members.0.host': host } });
      // On a slow disk it takes long, and no later try would come here again.
      await admin.command({ fsync: 1 });
      // It reads this when it is started again. A clean stop, like a forced reconfiguration, would first wait up to
      // 30 s for an answer from the program that has the old port.
      process.kill(pid, 'SIGKILL');
    }
    return false;
  } finally {
    await client.close();
  }
}
