import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSample } from '@knowledge/local';
import { ownFolder } from '@knowledge/runtime/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../e2e/documents-run/blocks.js';
import { expectPrinted, type Ran, runShell } from '../e2e/documents-run/shell.js';
import { containerName, engine, imageOf, runLabel, tryEngine } from './engine.js';
import {
  confined,
  deployables,
  type Fleet,
  processes,
  sampleDir,
  sampleMount,
  startFleet,
  untilReady,
  webDeskEntrypoint,
  webDeskProgram,
} from './fleet.js';

const folder = ownFolder();

describe.each(deployables)('the image of %s', (name) => {
  test('has labels, runs as `nobody` and contains its bill of materials', async () => {
    const [image] = JSON.parse(await engine('image', 'inspect', imageOf(name)));
    expect(image.Config).toMatchObject({ User: '10001:10001', WorkingDir: '/app' });
    expect(image.Config.Entrypoint).toEqual(['/usr/local/bin/node', 'bundle/main.js']);
    expect(image.Config.Labels).toMatchObject({
      'org.opencontainers.image.title': `knowledge/${name}`,
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/),
    });
    expect(image.Size).toBeLessThan(250e6);
    const bill = JSON.parse(await node(name, 'process.stdout.write(fs.readFileSync("sbom.cdx.json"))'));
    const names = bill.components.map((component: { name: string }) => component.name);
    expect(names).toEqual(expect.arrayContaining(['@grpc/grpc-js', 'pino', 'node', 'libc6']));
    expect(names).not.toContain('typescript');
  });

  test('has no shell, no npm, no npm settings, and a read-only root', async () => {
    for (const program of ['/bin/sh', '/bin/bash', '/usr/local/bin/npm', '/usr/bin/env']) {
      expect((await tryEngine('run', '--rm', '--entrypoint', program, imageOf(name))).code).toBe(127);
    }
    const found = await node(name, 'console.log(fs.globSync(["/**/.npmrc", "/root", "/usr/local/lib"]).length)');
    expect(found).toBe('0');
    const attempt = 'try { fs.writeFileSync("x", "") } catch (error) { console.log(error.code, process.getuid()) }';
    expect(await node(name, attempt)).toBe('EROFS 10001');
  });
});

test.each(processes)('%s ends with exit code 1 and prints the faults of its configuration', async (name) => {
  const wrong = ['--env', 'LOG_LEVEL=loud', '--env', 'GRPC_ADDRESS=nowhere', '--env', 'HTTP_ADDRESS=nowhere'];
  const { code, stderr } = await tryEngine('run', '--rm', ...confined, ...wrong, imageOf(name));
  expect(code).toBe(1);
  expect(stderr).toContain('The configuration is wrong:');
  expect(stderr).toContain('LOG_LEVEL is "loud"');
  expect(stderr).toMatch(/(HTTP|GRPC)_ADDRESS is "nowhere"/);
});

test('the web desk ends with exit code 1 and prints the faults of its configuration', async () => {
  const wrong = ['--env', 'LOG_LEVEL=loud', '--env', 'DESK_ADDRESS=nowhere'];
  const options = ['--rm', ...confined, ...wrong, ...webDeskEntrypoint];
  const { code, stderr } = await tryEngine('run', ...options, imageOf('desk'), webDeskProgram);
  expect(code).toBe(1);
  expect(stderr).toContain('LOG_LEVEL is "loud"');
  expect(stderr).toContain('DESK_ADDRESS is "nowhere"');
});

describe('the system in containers', () => {
  let fleet: Fleet;
  let tours: readonly Ran[];

  beforeAll(async () => {
    fleet = await startFleet();
    const desk = async (args: readonly string[]) => {
      const output = await engine(...fleet.deskOptions, ...sampleMount, imageOf('desk'), ...args);
      return output.startsWith('{') || output.startsWith('[') ? JSON.parse(output) : undefined;
    };
    await importSample({
      dataDir: folder,
      sampleDir,
      desk,
      log: () => undefined,
      signal: AbortSignal.timeout(240_000),
    });
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ mailbox: fleet.mailbox }));
    // The README's commands call `npx --no-install knowledge`. This script runs the image of the desk instead.
    const options = [...fleet.deskOptions, imageOf('desk')].map((option) => `'${option}'`).join(' ');
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift 2\nexec ${process.env['IMAGES_ENGINE']} ${options} "$@"\n`, {
      mode: 0o755,
    });
    const path = `${folder}:${process.env['PATH']}`;
    const [, ...blocks] = blocksOf('README.md');
    tours = await runShell(blocks, fleet.gateway, { PATH: path, HOME: folder, DATA_DIR: folder });
  }, 300_000);

  test('every line of the tours in README.md works', () => {
    expect(tours.length).toBeGreaterThan(25);
    expectPrinted(tours);
  });

  test('the web desk serves its scripts, and leads to the sign-in', async () => {
    const { status, headers } = await fetch(fleet.webDesk, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?next=%2F']);
    const page = await (await fetch(`${fleet.webDesk}/sign-in`)).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) expect((await fetch(`${fleet.webDesk}${path}`)).status, path).toBe(200);
  });

  test('a contribution survives a restart of every process', async () => {
    const shown = tours.find(({ command }) => command.includes('show a.object'))?.output ?? '';
    const id = /id: '([0-9a-f-]{36})'/.exec(shown)?.[1];
    for (const name of processes) {
      const begin = performance.now();
      await engine('stop', '--time', '30', containerName(name));
      expect(performance.now() - begin).toBeLessThan(20_000);
      expect(await engine('inspect', '--format', '{{.State.ExitCode}}', containerName(name))).toBe('0');
      expect(await engine('logs', containerName(name))).toContain('"stopped"');
    }
    await Promise.all(processes.map((name) => engine('start', containerName(name))));
    await untilReady(fleet.gateway);
    const answer = await fetch(`${fleet.gateway}/api/v1/objects/${id}`);
    expect(await answer.json()).toMatchObject({ ok: true, object: { title: 'What our rollout taught us' } });
  });
});

async function node(name: string, program: string): Promise<string> {
  const options = ['--rm', '--network', 'none', '--label', runLabel(), ...confined];
  return engine('run', ...options, '--entrypoint', '/usr/local/bin/node', imageOf(name), '-e', program);
}
