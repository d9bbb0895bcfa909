import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceName, type System, serviceNames } from '../harness/system.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { readFrom } from './targets.js';
import type { LoadResult } from './wrk.js';

export interface RollOptions {
  readonly system: System;
  readonly articles: number;
  readonly mongodPid: number;
  /** The load at full speed with the same number of connections. Half as many reads a second are sent. */
  readonly full: LoadResult;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Reads at half load, first with all services in their places, then while each is replaced. The new replicas are started
 * before, as on a cluster, where they start on other nodes.
 */
export async function measureRolls(options: RollOptions): Promise<Map<string, LoadResult>> {
  const { system, connections, seconds } = options;
  const half = paced(options);
  const results = new Map<string, LoadResult>();
  const places = new Map<ServiceName, TcpProxy>();
  for (const name of serviceNames) places.set(name, await startTcpProxy(system.addresses[name]));
  const callServicesAt = async (addressOf: (name: ServiceName) => string): Promise<void> => {
    const env = serviceNames.map((name) => [`${name.toUpperCase()}_ADDRESS`, addressOf(name)]);
    await system.processes['gateway']?.restart(Object.fromEntries(env));
  };
  await callServicesAt((name) => places.get(name)?.address ?? '');
  await half(connections, seconds);
  results.set('nothing', await half(connections, seconds));
  for (const name of serviceNames) {
    const { address } = await system.startReplica(name);
    const load = half(connections, seconds);
    await pause(seconds * 300);
    places.get(name)?.redirect(address);
    await system.processes[name]?.kill('SIGTERM');
    results.set(name, await load);
    places.get(name)?.redirect(system.addresses[name]);
    await system.processes[name]?.restart();
    await system.processes[`${name}-replica`]?.close();
  }
  await callServicesAt((name) => system.addresses[name]);
  for (const place of places.values()) await place.close();
  return results;
}

function paced({ system, articles, mongodPid, full, connections }: RollOptions) {
  const pauseMs = Math.max(1, ((2 * connections) / full.requestsPerSecond) * 1_000 - full.p50 / 2);
  return (...args: [number, number]): Promise<LoadResult> => {
    const pids = { gateway: system.processes['gateway']?.pid ?? 0, mongod: mongodPid };
    return readFrom(system.url, pids, { articles, pauseMs })(...args);
  };
}
