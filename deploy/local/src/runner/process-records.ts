import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { endProcess, signalProcess } from '../processes/end-process.js';
import { isAlive, type ProcessIdentity } from '../processes/identity.js';

/** A process of a local start, as `DATA_DIR/processes.json` keeps it for whoever must clean up after a killed runner. */
interface ProcessRecord extends ProcessIdentity {
  readonly name: string;
}

export interface ProcessRecords {
  set(name: string, identity: ProcessIdentity): void;
  /** Forgets all, when all are gone. */
  clear(): void;
}

/** The name under which the guard records itself. */
export const GUARD = 'guard';

export function openProcessRecords(dataDir: string): ProcessRecords {
  const path = fileOf(dataDir);
  const records = new Map<string, ProcessRecord>();
  return {
    set: (name, identity) => {
      records.set(name, { name, ...identity });
      writeJsonFile(path, [...records.values()]);
    },
    clear: () => rmSync(path, { force: true }),
  };
}

/**
 * Ends what a killed runner left: its guard at once, so that only one cleans up, then the gateway, the services and
 * the mailbox, then mongod. Nothing is ended by a pid alone: the time of its start must agree.
 * @returns the names of those that were still running
 */
export async function endLeftOvers(dataDir: string): Promise<string[]> {
  const alive = readRecords(dataDir).filter((record) => record.pid !== process.pid && isAlive(record));
  for (const record of alive.filter(isNamed([GUARD]))) signalProcess(record, 'SIGKILL');
  for (const record of alive.filter(isNamed(['gateway']))) await endProcess(record, { graceMs: 10_000 });
  const services = alive.filter((record) => !isNamed([GUARD, 'gateway', 'mongod'])(record));
  await Promise.all(services.map((record) => endProcess(record, { graceMs: 10_000 })));
  for (const record of alive.filter(isNamed(['mongod']))) await endProcess(record, { graceMs: 30_000 });
  rmSync(join(dataDir, 'run.json'), { force: true });
  rmSync(fileOf(dataDir), { force: true });
  return alive.map((record) => record.name).filter((name) => name !== GUARD);
}

function isNamed(names: readonly string[]): (record: ProcessRecord) => boolean {
  return (record) => names.includes(record.name);
}

function readRecords(dataDir: string): ProcessRecord[] {
  const records = readJsonFile(fileOf(dataDir));
  return Array.isArray(records) ? records.filter(isRecord) : [];
}

function isRecord(value: unknown): value is ProcessRecord {
  const { name, pid, started } = (value ?? {}) as Partial<ProcessRecord>;
  return typeof name === 'string' && typeof pid === 'number' && typeof started === 'string';
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'processes.json');
}
