#!/usr/bin/env node
// Builds the images of the service with docker or podman, depending on which one responds. See README.md in this
// folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = fileURLToPath(new URL('out/', import.meta.url));

const services = ['content', 'quota', 'identity', 'contributions', 'desk'];
const known = ['gateway', ...services, 'operations', 'local'];

const help = `Builds images, with the bill of materials of each in deploy/images/out/NAME.cdx.json.

  npm run images                      all: ${known.join(', ')}
  npm run images -- quota gateway     those

  --tag TAG        default: dev
  --prefix NAME    default: localhost/knowledge, for localhost/knowledge/quota:dev
  --engine NAME    docker or podman; default: the first that answers
  --network NAME   of the build steps; default: host, on which npm reaches its registry as it does here
  --node IMAGE     where Node and its libraries come from; default: docker.io/library/node:24-bookworm-slim
  --npmrc FILE     npm's settings for a registry of your own: a secret of the build, in no layer
  --source URL     the repository, for the label org.opencontainers.image.source
  --no-cache       build every step again
  --verbose        show what the engine prints
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    tag: { type: 'string', default: 'dev' },
    prefix: { type: 'string', default: 'localhost/knowledge' },
    engine: { type: 'string' },
    network: { type: 'string', default: 'host' },
    node: { type: 'string' },
    npmrc: { type: 'string' },
    source: { type: 'string' },
    'no-cache': { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});

try {
  process.exitCode = values.help ? print(help) : await main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main() {
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No image is called ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  const engine = findEngine();
  const commit = readCommit();
  const context = takeSources();
  mkdirSync(out, { recursive: true });
  const rows = [];
  try {
    for (const name of positionals.length > 0 ? positionals : known) {
      const image = `${values.prefix}/${name}:${values.tag}`;
      const begin = Date.now();
      print(`${image} …\n`);
      await build(engine, { name, image, context, ...commit });
      writeFileSync(join(out, `${name}.cdx.json`), billOfMaterials(engine, image));
      const { id, size } = inspect(engine, image);
      rows.push([image, `${(size / 1e6).toFixed(0)} MB`, `${((Date.now() - begin) / 1000).toFixed(0)} s`, id]);
    }
  } finally {
    rmSync(context, { recursive: true });
  }
  print(`\n${table([['image', 'size', 'built in', 'id'], ...rows])}\n`);
  return 0;
}

function findEngine() {
  const names = values.engine ? [values.engine] : ['docker', 'podman'];
  const found = names.find((name) => spawnSync(name, ['version'], { stdio: 'ignore', timeout: 10_000 }).status === 0);
  if (found === undefined) throw new Error(`No container engine answers (${names.join(', ')}): install and start one.`);
  return found;
}

/** Copies all files that git tracks or would add, so that all images of one run have the same sources. */
function takeSources() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const context = mkdtempSync(join(tmpdir(), 'knowledge-images-'));
  for (const file of listed.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    cpSync(join(root, file), join(context, file));
  }
  return context;
}

/** Reads the commit and its time. With this time, the same commit always gives the same image. */
function readCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const epoch = process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct');
    const dirty = git('status', '--porcelain') === '' ? '' : '-dirty';
    return { version, epoch, revision: git('rev-parse', 'HEAD') + dirty };
  } catch {
    return { version, epoch: process.env.SOURCE_DATE_EPOCH ?? '0', revision: 'unknown' };
  }
}

async function build(engine, { name, image, context, version, epoch, revision }) {
  const created = new Date(Number(epoch) * 1000).toISOString().replace('.000Z', 'Z');
  const args = {
    DEPLOYABLE: name,
    VERSION: version,
    REVISION: revision,
    CREATED: created,
    SOURCE_DATE_EPOCH: epoch,
    ...(values.node && { NODE_IMAGE: values.node }),
  };
  const status = await run(engine, [
    'build',
    ...['--file', join(context, 'deploy/images/Dockerfile'), '--tag', image, '--network', values.network],
    ...Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
    ...(values.source ? ['--label', `org.opencontainers.image.source=${values.source}`] : []),
    ...(values.npmrc ? ['--secret', `id=npmrc,src=${values.npmrc}`] : []),
    ...(values['no-cache'] ? ['--no-cache'] : []),
    context,
  ]);
  if (status !== 0) throw new Error(`${engine} could not build ${image}.`);
}

/** Runs the container engine. Its output is printed if it fails, or immediately if requested. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (values.verbose ? process.stderr.write(chunk) : said.push(chunk)));
    }
    child.once('error', reject);
    child.once('close', (status) => {
      if (status !== 0) process.stderr.write(Buffer.concat(said));
      resolve(status);
    });
  });
}

function billOfMaterials(engine, image) {
  const program = 'process.stdout.write(require("fs").readFileSync("sbom.cdx.json"))';
  const args = ['run', '--rm', '--network', 'none', '--entrypoint', '/usr/local/bin/node', image, '-e', program];
  return execFileSync(engine, args, { maxBuffer: 2 ** 26 });
}

function inspect(engine, image) {
  const output = execFileSync(engine, ['image', 'inspect', '--format', '{{.Id}} {{.Size}}', image], {
    encoding: 'utf8',
  });
  const [id, size] = output.trim().replace('sha256:', '').split(' ');
  return { id: id.slice(0, 12), size: Number(size) };
}

function table(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function print(text) {
  process.stdout.write(text);
  return 0;
}
