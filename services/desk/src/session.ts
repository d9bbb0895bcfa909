import { randomUUID } from 'node:crypto';
import { type CallOptions, connectGrpc, type Definition, type GrpcClient } from '@knowledge/runtime/grpc';
import type { ServiceName } from './connection/services.js';
import { DeskError } from './desk-error.js';
import type { Host } from './host.js';
import { createPrinter, type Printer } from './print/printer.js';
import { type GlobalFlags, readSettings, type Settings } from './settings.js';

/** A service that cannot be reached within this time is told to be away. */
export const connectTimeoutMs = 2000;

/** One run of one command: the services, the output and who acts. */
export interface Session {
  readonly host: Host;
  readonly settings: Settings;
  readonly print: Printer;
  /** Whether the user said `--yes` to every question. */
  readonly yes: boolean;
  /** The addresses of the services that were called, for the message of a failure. */
  readonly calledAddresses: ReadonlyMap<ServiceName, string>;
  /** A client of one proto service; closed with the session. */
  connect<D extends Definition>(service: ServiceName, definition: D, limits?: { deadlineMs: number }): GrpcClient<D>;
  /** What goes with each call. */
  callContext(): CallOptions & { actor: string };
  close(): void;
}

// An unreachable service is told in 3 s, the start of the process included.
const defaultDeadlineMs = connectTimeoutMs;
const maxReceiveBytes = 64 * 1024 * 1024;

/** Opens a session; connections are made when a command asks for them. */
export function openSession(flags: GlobalFlags, host: Host): Session {
  const settings = readSettings(flags, host);
  const clients: { close(): void }[] = [];
  const calledAddresses = new Map<ServiceName, string>();
  return {
    host,
    settings,
    print: createPrinter(host, flags.json === true),
    yes: flags.yes === true,
    calledAddresses,
    connect(service, definition, { deadlineMs } = { deadlineMs: defaultDeadlineMs }) {
      const address = addressOf(service, settings);
      calledAddresses.set(service, address);
      const { tls } = settings;
      const client = connectGrpc(definition, {
        address,
        callerName: 'knowledge-desk',
        tls,
        deadlineMs,
        maxReceiveBytes,
      });
      clients.push(client);
      return client;
    },
    callContext: () => ({ requestId: randomUUID(), actor: settings.actor, signal: host.interrupted }),
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/** @throws DeskError that says how to find a system. */
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
