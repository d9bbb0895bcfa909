import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AccessList } from '@knowledge/runtime/grpc';
import { expect, test } from 'vitest';
import { serviceNames } from '../harness/system.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = 'services/desk/src';

/** The methods that have no action in the browser yet, by what they are for. */
const onlyCommandLine: ReadonlySet<string> = new Set([
  // Who is signed in in the browser could give themselves any name and role.
  'createSignInCode',
  // A form has one group; a list of them is a file.
  'putSynonyms',
]);

const onlyWebDesk: ReadonlySet<string> = new Set([
  // A command ends before a colleague could see that it shows an item.
  ...['announcePresence', 'endPresence'],
  // In the command line support has `token revoke` and `person show`.
  ...['endAgentAccess', 'getBlock'],
]);

/** The methods that staff members may call and no process of ours, for example `decide`. */
const methods = (await Promise.all(serviceNames.map(methodsOfStaff))).flat().sort();
const imports = await importsOf(source);
const commandLine = methodsCalledFrom(`${source}/cli.ts`, imports);
const webDesk = methodsCalledFrom(`${source}/web/app.ts`, imports);

test('the command line has an action for each method of the teams', () => {
  expect(without(commandLine, onlyWebDesk)).toEqual([]);
});

test('the web desk has an action for each method of the teams', () => {
  expect(without(webDesk, onlyCommandLine)).toEqual([]);
});

test('every exception is still one', () => {
  expect([...onlyCommandLine].filter((method) => webDesk.has(method))).toEqual([]);
  expect([...onlyWebDesk].filter((method) => commandLine.has(method))).toEqual([]);
});

function without(called: ReadonlySet<string>, exceptions: ReadonlySet<string>): string[] {
  return methods.filter((method) => !called.has(method) && !exceptions.has(method));
}

async function methodsOfStaff(service: string): Promise<string[]> {
  const { access } = (await import(`${root}/services/${service}/src/access.ts`)) as { access: AccessList };
  const processes = ['gateway', 'identity', 'contributions', 'web-desk'];
  const ofProcesses = new Set(processes.flatMap((name) => [...(access.get(name) ?? [])]));
  const own = [...(access.get('desk') ?? [])].filter(
    (method) => !ofProcesses.has(method) && !method.startsWith('grpc.'),
  );
  return own.map((method) => method.replace(/^.*\//, '').replace(/^./, (first) => first.toLowerCase()));
}

/** The names of methods that stand in a file or in what it imports, however far away. */
function methodsCalledFrom(entry: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([entry]);
  for (const file of reached) for (const imported of imports.get(file) ?? []) reached.add(imported);
  const text = [...reached].map((file) => readFileSync(`${root}/${file}`, 'utf8')).join('\n');
  return new Set(methods.filter((method) => new RegExp(`['.]${method}\\b`).test(text)));
}

async function importsOf(folder: string): Promise<Map<string, readonly string[]>> {
  const args = ['--no-install', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'json', folder];
  const { stdout } = await promisify(execFile)('npx', args, { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  const { modules } = JSON.parse(stdout) as { modules: { source: string; dependencies: { resolved: string }[] }[] };
  const own = (path: string): boolean => path.startsWith(`${folder}/`);
  return new Map(
    modules
      .filter((module) => own(module.source))
      .map((module) => [module.source, module.dependencies.map(({ resolved }) => resolved).filter(own)]),
  );
}
