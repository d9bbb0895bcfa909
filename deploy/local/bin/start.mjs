#!/usr/bin/env node
// Started by `npm start`: installs and builds what has changed, then runs the service in this process.
// Plain JavaScript without dependencies, since nothing is there yet on the first start.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install, run } from './install.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

const oldestNode = [20, 19];
const root = fileURLToPath(new URL('../../..', import.meta.url));
const stampFile = join(root, 'node_modules', '.cache', 'knowledge', 'built');
const lockFile = join(dirname(stampFile), 'building');
const longestBuildMs = 120_000;
const programs = ['services/content', 'services/quota', 'services/identity', 'services/contributions'].concat([
  'services/desk',
  'gateway',
  'deploy/local',
]);
const shared = ['services/runtime', 'deploy/bundle.mjs', 'package-lock.json', 'tsconfig.json'];

const help = `Runs the whole service on this machine: MongoDB, a mailbox, the six processes and sample content.

  npm start                   the site on http://localhost:8080; Ctrl-C stops everything
  PORT=0 npm start            on a free port
  DATA_DIR=/srv/k npm start   with its data, mails, logs and run.json there (default .data)
  MONGODB_URI=… npm start     with a MongoDB of yours, a replica set
  SMTP_URL=… npm start        with a mail server of yours, instead of the local mailbox
  SAMPLE=off npm start        without sample content
  LOG=all npm start           with every log line in this terminal

deploy/local/README.md has every variable of this machine, deploy/README.md all others.
`;

await start();

async function start() {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(help);
    return;
  }
  if (argument !== undefined) {
    process.stderr.write('npm start takes variables, no arguments: "npm start -- --help" lists them.\n');
    process.exitCode = 2;
    return;
  }
  const problem = refusal();
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  if (!(await install()) || !(await oneAtATime(lockFile, longestBuildMs, build))) return;
  await import(pathToFileURL(join(root, 'deploy', 'local', 'bundle', 'main.js')).href);
}

function refusal() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return `Node ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}. See https://nodejs.org/.`;
  }
}

/**
 * Makes the programs whose sources were touched since the last start, and checks no types. One process bundles them all:
 * `turbo run bundle` starts three for each. @returns whether to go on
 */
async function build() {
  const before = readStamps();
  const own = Object.fromEntries(['proto', ...programs].map((path) => [path, stampOf(path)]));
  const now = { ...own, shared: stampOf(...shared) };
  const isKept = (name, made) => before[name] === now[name] && existsSync(join(root, made));
  const isGenerated = isKept('proto', 'proto/src/gen/descriptors.ts');
  const isShared = isGenerated && isKept('shared', '.');
  const stale = programs.filter((path) => !isShared || !isKept(path, `${path}/bundle`));
  if (stale.length === 0) return true;
  const isFirst = programs.some((path) => !existsSync(join(root, path, 'bundle')));
  process.stdout.write(isFirst ? 'Building (first start only) …\n' : 'Building what changed …\n');
  const began = Date.now();
  if (!isGenerated && !(await run(process.execPath, ['proto/generate.mjs']))) return false;
  if (!(await run(process.execPath, ['deploy/bundle.mjs', ...stale]))) return false;
  writeFileSync(stampFile, JSON.stringify(now));
  process.stdout.write(`  built in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
  return true;
}

/** The stamps of the last build. One of an older form counts as none. */
function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/** A hash that changes when a source file is added, removed or written. */
function stampOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) add(hash, join(root, path));
  return hash.digest('hex');
}

function add(hash, path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!['dist', 'bundle', 'gen', 'node_modules', 'sample', '.turbo'].includes(name)) add(hash, join(path, name));
  }
}
