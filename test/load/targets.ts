import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/free-port.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import type { System } from '../harness/system.js';
import { type LoadResult, runLoad } from './wrk.js';

/** One thing to measure. */
export interface Target {
  readonly name: TargetName;
  readonly run: (connections: number, seconds: number) => Promise<LoadResult>;
}

/** What is measured, in the order of a round. */
export const targetNames = [
  'read',
  'read, ceiling',
  'plain',
  'grouped',
  'best',
  'index 200',
  'index br',
  'index 304',
  'bare',
] as const;

export type TargetName = (typeof targetNames)[number];

/** A program that is compared with the system. */
export interface Reference {
  readonly process: ManagedProcess;
  readonly url: string;
}

/** Starts `plain.js`, `best.js` or `bare.js`. */
export async function startReference(name: 'plain' | 'best' | 'bare', args: string[]): Promise<Reference> {
  const port = await freePort();
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const ready = async (): Promise<void> => {
    for (;;) {
      if (await fetch(`${url}/none`).catch(() => undefined)) return;
      await pause(50);
    }
  };
  const command = [process.execPath, file, ...args, String(port)] as [string, ...string[]];
  return { process: await startProcess({ name, command, env: {}, ready }), url };
}

export interface TargetOptions {
  readonly system: System;
  readonly references: Readonly<Record<'plain' | 'grouped' | 'best' | 'bare', Reference>>;
  readonly articles: number;
  readonly mongodPid: number;
}

/** The processes whose CPU time a read takes. With the suffix `-2` it is a read under a ceiling. */
export function pidsOf({ processes }: System, mongod: number, suffix = ''): Record<string, number> {
  const own = ['gateway', 'quota'].map((name) => [name, processes[`${name}${suffix}`]?.pid ?? 0]);
  const shared = ['content', 'identity'].map((name) => [name, processes[name]?.pid ?? 0]);
  return { ...Object.fromEntries(own), ...Object.fromEntries(shared), mongod };
}

let runs = 0;

/** Lets fresh readers read articles. With `ceiling` they come from many addresses. */
export function readFrom(
  url: string,
  pids: Record<string, number>,
  { articles, ceiling = false, pauseMs = 0 }: { articles: number; ceiling?: boolean; pauseMs?: number },
): Target['run'] {
  return (connections, seconds) => {
    runs += 1;
    const env = {
      RUN: `bench-${process.pid}-${runs}`,
      ARTICLES: String(articles),
      PAUSE_MS: String(pauseMs),
      ...(ceiling && { NETWORK: String(runs % 256) }),
    };
    return runLoad({ url: `${url}/`, script: 'read.lua', connections, seconds, env, pids });
  };
}

export function targetsOf({ system, references, articles, mongodPid: mongod }: TargetOptions): Target[] {
  const { plain, grouped, best, bare } = references;
  const [url = '', urlWithCeiling = ''] = system.gateways;
  const index = `${url}/api/v1/content?site=org`;
  const get = (of: string, pids: Record<string, number>, env: Record<string, string> = {}) => {
    return (connections: number, seconds: number) =>
      runLoad({ url: of, script: 'get.lua', connections, seconds, env, pids });
  };
  const gateway = { gateway: system.processes['gateway']?.pid ?? 0 };
  const runOf: Record<TargetName, Target['run']> = {
    read: readFrom(url, pidsOf(system, mongod), { articles }),
    'read, ceiling': readFrom(urlWithCeiling, pidsOf(system, mongod, '-2'), { articles, ceiling: true }),
    plain: readFrom(plain.url, { plain: plain.process.pid, mongod }, { articles }),
    grouped: readFrom(grouped.url, { grouped: grouped.process.pid, mongod }, { articles }),
    best: readFrom(best.url, { best: best.process.pid, mongod }, { articles }),
    'index 200': get(index, gateway),
    'index br': get(index, gateway, { ACCEPT_ENCODING: 'br' }),
    'index 304': async (...args) => get(index, gateway, { ETAG: await etagOf(index) })(...args),
    bare: get(`${bare.url}/bare`, { bare: bare.process.pid }),
  };
  return targetNames.map((name) => ({ name, run: runOf[name] }));
}

async function etagOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '';
}
