import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../processes/end-process.js';
import { withDirectClient } from './replica-set.js';
import { describeExit, type SpawnMongodOptions, spawnMongod, waitForPort } from './spawn.js';

/**
 * Changes the port in the configuration of a replica set with one member.
 * It starts mongod as a standalone server, as MongoDB's manual says for changed host names. A forced
 * reconfiguration would first wait up to 30 s for an answer from the program that has the old port.
 */
export async function movePort(options: Omit<SpawnMongodOptions, 'replSet'>): Promise<void> {
  if (!existsSync(join(options.dbPath, 'WiredTiger'))) return;
  const spawned = await spawnMongod(options);
  try {
    if (!(await waitForPort(options.port, spawned))) throw new Error(describeExit(await spawned.exited));
    await withDirectClient(options.port, async (client) => {
      const configurations = client.db('local').collection('system.replset');
      await configurations.updateMany({}, { $set: { 'members.0.host': `127.0.0.1:${options.port}` } });
    });
  } finally {
    await endProcess(spawned.processId, { graceMs: 30_000 });
    await spawned.exited;
  }
}
