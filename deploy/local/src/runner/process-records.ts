import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { endProcess, signalProcess } from '../processes/end-process.js';
import { isAlive, type ProcessId } from '../processes/process-id.js';

/** An entry of `DATA_DIR/processes.json`, from which a killed runner's processes are found and ended. */
interface ProcessRecord extends ProcessId {
  readonly name: string;
}

export interface ProcessRecords {
  set(name: string, processId: ProcessId): void;
  /** Deletes the records. Call it after every process has ended. */
  clear(): void;
}

/** The watchdog's name in the records. */
export const watchdogName = 'watchdog';

export function openProcessRecords(dataDir: string): ProcessRecords {
  const path = fileOf(dataDir);
  const records = new Map<string, ProcessRecord>();
  return {
    set: (name, processId) => {
      records.set(name, { name, ...processId });
      writeJsonFile(path, [...records.values()]);
    },
    clear: () => rmSync(path, { force: true }),
  };
}

/**
 * Ends the processes that a killed runner left running.
 * The watchdog goes first, so that only one process cleans up; then gateway, services and mailbox; then mongod.
 * A process is ended only if pid and start time match. @returns the names of the processes that were running
 */
export async function endOrphans(dataDir: string): Promise<string[]> {
  const alive = readRecords(dataDir).filter((record) => record.pid !== process.pid && isAlive(record));
  for (const record of alive.filter(isNamed([watchdogName]))) signalProcess(record, 'SIGKILL');
  for (const record of alive.filter(isNamed(['gateway']))) await endProcess(record, { graceMs: 10_000 });
  const services = alive.filter((record) => !isNamed([watchdogName, 'gateway', 'mongod'])(record));
  await Promise.all(services.map((record) => endProcess(record, { graceMs: 10_000 })));
  for (const record of alive.filter(isNamed(['mongod']))) await endProcess(record, { graceMs: 30_000 });
  rmSync(join(dataDir, 'run.json'), { force: true });
  rmSync(fileOf(dataDir), { force: true });
  return alive.map((record) => record.name).filter((name) => name !== watchdogName);
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
