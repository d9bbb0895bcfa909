import { randomUUID } from 'node:crypto';
import { connectGrpc, type Definition } from '@knowledge/runtime/client';
import { DeskError } from './desk-error.js';
import type { Host } from './host.js';
import { Printer } from './printer.js';
import { type Calls, type Connected, type ServiceName, withContext } from './services.js';
import { type GlobalFlags, readSettings, type Settings } from './settings.js';

/** A service to which no connection opens within this time, in milliseconds, is reported as down. */
export const connectTimeoutMs = 2000;

/** A service that is reached may take its time: its database may be busy, or a file large. */
const answerTimeoutMs = 10_000;

/** Everything that one run of a command uses: services, output and actor. */
export interface Session extends Connected {
  readonly host: Host;
  readonly settings: Settings;
  readonly print: Printer;
  /** Whether `--yes` is set. */
  readonly yes: boolean;
  /** The addresses of the services that were called, for error messages. */
  readonly calledAddresses: ReadonlyMap<ServiceName, string>;
  close(): void;
}

/** Opens a session. It connects to a service only when a command needs the service. */
export function openSession(flags: GlobalFlags, host: Host): Session {
  const settings = readSettings(flags, host);
  const clients: { close(): void }[] = [];
  const calledAddresses = new Map<ServiceName, string>();
  return {
    host,
    settings,
    print: new Printer(host, flags.json === true),
    yes: flags.yes === true,
    calledAddresses,
    connect(service, definition, { deadlineMs } = { deadlineMs: answerTimeoutMs }) {
      const address = addressOf(service, settings);
      calledAddresses.set(service, address);
      const { tls } = settings;
      const shared = { callerName: 'knowledge-desk', tls, connectMs: connectTimeoutMs };
      const client = connectGrpc(definition, { address, deadlineMs, ...shared });
      clients.push(client);
      return client;
    },
    callContext: () => ({ requestId: randomUUID(), actor: settings.actor, signal: host.interrupted }),
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/** Returns the address of a service. Throws a DeskError that says how to start or name a system. */
export function addressOf(service: ServiceName, settings: Settings): string {
  const address = settings.addresses[service];
  if (address !== undefined) return address;
  const variable = `KNOWLEDGE_${service.toUpperCase()}_ADDRESS`;
  const where =
    settings.runFile === undefined ? `no run.json in ${settings.dataDir}` : `${settings.runFile.path} does not name it`;
  throw new DeskError(
    'unavailable',
    `No running system found (${where}): start one with "npm start", name its data directory with --data-dir, ` +
      `or give the address of ${service} with --${service} HOST:PORT or ${variable}.`,
  );
}

/** Makes a function that gives the calls of a service. A session connects to the service at its first use. */
export function callsOf<D extends Definition>(service: ServiceName, definition: D, limits?: { deadlineMs: number }) {
  const opened = new WeakMap<Session, Calls<D>>();
  return (session: Session) => {
    const calls = opened.get(session) ?? withContext(session.connect(service, definition, limits), session.callContext);
    opened.set(session, calls);
    return calls;
  };
}
