import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, type ProcessId, processIdOf } from '../processes/process-id.js';
import { endOrphans, openProcessRecords, watchdogName } from './process-records.js';

let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'records-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

describe('what a killed runner left', () => {
  it('is ended: the gateway before the services, mongod at last', async () => {
    const records = openProcessRecords(dir);
    const processIds = new Map<string, ProcessId>();
    for (const name of ['mongod', 'content', 'gateway', watchdogName]) processIds.set(name, await sleeper(name));
    for (const [name, processId] of processIds) records.set(name, processId);
    writeFileSync(join(dir, 'run.json'), '{}');
    expect((await endOrphans(dir)).sort()).toEqual(['content', 'gateway', 'mongod']);
    expect([...processIds.values()].filter(isAlive)).toEqual([]);
    const notes = readdirSync(dir).map((file) => ({ file, at: statSync(join(dir, file)).mtimeMs }));
    const inOrder = notes.sort((a, b) => a.at - b.at).map(({ file }) => file);
    expect(inOrder).toEqual(['ended-gateway', 'ended-content', 'ended-mongod']);
  });

  it('is left alone when the pid belongs to another process now', async () => {
    const processId = await sleeper('stranger');
    openProcessRecords(dir).set('content', { ...processId, started: 'before the last boot' });
    expect(await endOrphans(dir)).toEqual([]);
    expect(isAlive(processId)).toBe(true);
  });

  it('is nothing where a start ended in order, or the records are not readable', async () => {
    openProcessRecords(dir).clear();
    expect(await endOrphans(dir)).toEqual([]);
    writeFileSync(join(dir, 'processes.json'), '[{"pid":1},null]');
    expect(await endOrphans(dir)).toEqual([]);
  });
});

async function sleeper(name: string): Promise<ProcessId> {
  const note = JSON.stringify(join(dir, `ended-${name}`));
  const script = `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${note}, ''); process.exit(); });
    console.log('up'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  const processId = processIdOf(child.pid ?? 0);
  if (processId === undefined) throw new Error(`${name} is not there.`);
  return processId;
}
