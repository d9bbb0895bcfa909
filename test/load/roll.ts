import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceName, type System, serviceNames } from '../harness/system.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { type Reference, readFrom } from './targets.js';
import type { LoadResult } from './wrk.js';

export interface RollOptions {
  readonly system: System;
  /** Programs that get as many reads a second as half of the system's speed, to compare. */
  readonly references: Readonly<Record<string, Reference>>;
  readonly articles: number;
  readonly mongodPid: number;
  /** The load at full speed with the same number of connections. Half as many reads a second are sent. */
  readonly full: LoadResult;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Reads at half load: the references, the system, then the system while each service is replaced. The new replicas are
 * started before, as on a cluster, where they start on other nodes. Rolled services are reached through proxies of this
 * process, which cost time too.
 */
export async function measureRolls(options: RollOptions): Promise<Map<string, LoadResult>> {
  const { system, references, articles, mongodPid, connections, seconds } = options;
  const pauseMs = pauseAtHalf(options);
  const half = (): Promise<LoadResult> => {
    const pids = { gateway: system.processes['gateway']?.pid ?? 0, mongod: mongodPid };
    return readFrom(system.url, pids, { articles, pauseMs })(connections, seconds);
  };
  const results = new Map<string, LoadResult>();
  for (const [name, { url, process }] of Object.entries(references)) {
    const pids = { [name]: process.pid, mongod: mongodPid };
    results.set(name, await readFrom(url, pids, { articles, pauseMs })(connections, seconds));
  }
  results.set('read', await half());
  const places = new Map<ServiceName, TcpProxy>();
  for (const name of serviceNames) places.set(name, await startTcpProxy(system.addresses[name]));
  const callServicesAt = async (addressOf: (name: ServiceName) => string): Promise<void> => {
    const env = serviceNames.map((name) => [`${name.toUpperCase()}_ADDRESS`, addressOf(name)]);
    await system.processes['gateway']?.restart(Object.fromEntries(env));
  };
  await callServicesAt((name) => places.get(name)?.address ?? '');
  await half();
  results.set('read, through proxies', await half());
  for (const name of serviceNames) {
    const { address } = await system.startReplica(name);
    const load = half();
    await pause(seconds * 300);
    places.get(name)?.redirect(address);
    await system.processes[name]?.kill('SIGTERM');
    results.set(`read, ${name} rolled`, await load);
    places.get(name)?.redirect(system.addresses[name]);
    await system.processes[name]?.restart();
    await system.processes[`${name}-replica`]?.close();
  }
  await callServicesAt((name) => system.addresses[name]);
  for (const place of places.values()) await place.close();
  return results;
}

/** The mean pause of a connection between two reads, in milliseconds. */
function pauseAtHalf({ full, connections }: RollOptions): number {
  return Math.max(1, ((2 * connections) / full.requestsPerSecond) * 1_000 - full.p50 / 2);
}
