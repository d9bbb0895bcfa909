import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { findFreePort, isPortFree } from '../ports/free-port.js';
import { type LocalConfig, type PortName, portNames } from './config.js';

export type Ports = Readonly<Record<PortName | 'gateway', number>>;

/** Another program uses a configured port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Chooses a port for every server: the configured one, that of the last start, or a free one.
 * Stores them in `DATA_DIR/ports.json`. @throws PortTakenError with the port and its variable
 */
export async function choosePorts(config: LocalConfig): Promise<Ports> {
  const path = join(config.dataDir, 'ports.json');
  const kept = (readJsonFile(path) ?? {}) as Partial<Record<string, unknown>>;
  const used = new Set<number>();
  const choose = async (name: keyof Ports, configured: number | undefined): Promise<number> => {
    const port = configured || (await freePort(kept[name], used));
    if (configured && !(await isPortFree(port, name === 'gateway' ? config.host : undefined))) {
      throw new PortTakenError(takenMessage(name, port));
    }
    used.add(port);
    return port;
  };
  const chosen: Partial<Record<keyof Ports, number>> = { gateway: await choose('gateway', config.port) };
  for (const name of portNames) chosen[name] = await choose(name, config.ports[name]);
  writeJsonFile(path, chosen);
  return chosen as Ports;
}

async function freePort(kept: unknown, used: ReadonlySet<number>): Promise<number> {
  if (typeof kept === 'number' && !used.has(kept) && (await isPortFree(kept))) return kept;
  return findFreePort(used);
}

function takenMessage(name: keyof Ports, port: number): string {
  if (name === 'gateway') {
    return `Port ${port} is taken by another program.\nChoose another one, PORT=${port + 1} npm start, or let a free one be picked, PORT=0 npm start.`;
  }
  const variable = `${name.toUpperCase()}_PORT`;
  return `Port ${port} (${variable}) is taken by another program. Choose another one, or leave ${variable} out.`;
}
