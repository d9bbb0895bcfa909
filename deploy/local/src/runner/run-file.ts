import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeJsonFile } from '../files/json-file.js';
import type { ServiceName } from './services.js';

/** `DATA_DIR/run.json` (ARCHITECTURE.md#local-start): the addresses and pids of the running system. */
export interface RunFile {
  readonly gateway: string;
  readonly grpc: Readonly<Record<ServiceName, string>>;
  readonly mongodb: string;
  readonly mailbox: string | null;
  readonly pids: Readonly<Record<string, number>>;
}

export function writeRunFile(dataDir: string, content: RunFile): void {
  writeJsonFile(join(dataDir, 'run.json'), content);
}

export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, 'run.json'), { force: true });
}
