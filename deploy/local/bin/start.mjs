#!/usr/bin/env node
// Started by `npm start`: installs and builds what has changed, then runs the service in this process.
// Plain JavaScript without dependencies, since nothing is there yet on the first start.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { install, run } from './install.mjs';

const oldestNode = [20, 19];
const root = fileURLToPath(new URL('../../..', import.meta.url));
const stampFile = join(root, 'node_modules', '.cache', 'knowledge', 'built');
const libraries = ['proto', 'services/runtime'];
const programs = ['services/content', 'services/quota', 'services/identity', 'services/contributions'].concat([
  'services/desk',
  'gateway',
  'deploy/local',
]);
const sources = [...libraries, ...programs, 'deploy/bundle.mjs', 'package-lock.json', 'tsconfig.json'];

const help = `Runs the whole service on this machine: MongoDB, a mailbox, the six processes and sample content.

  npm start                   the site on http://localhost:8080; Ctrl-C stops everything
  PORT=0 npm start            on a free port
  DATA_DIR=/srv/k npm start   with its data, mails, logs and run.json there (default .data)
  MONGODB_URI=… npm start     with a MongoDB of yours, a replica set
  SMTP_URL=… npm start        with a mail server of yours, instead of the local mailbox
  SAMPLE=off npm start        without sample content
  LOG=all npm start           with every log line in this terminal

deploy/local/README.md has every variable.
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
  if (!(await install()) || !(await build())) return;
  await import(pathToFileURL(join(root, 'deploy', 'local', 'bundle', 'main.js')).href);
}

function refusal() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return `Node ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}. See https://nodejs.org/.`;
  }
}

/** Returns whether to go on. turbo compares contents; the stamp saves that second when no file was touched. */
async function build() {
  const stamp = stampOfSources();
  if (isBuilt() && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
  process.stdout.write(isBuilt() ? 'Building what changed …\n' : 'Building (first start only) …\n');
  const began = Date.now();
  if (!(await runTurbo())) return false;
  mkdirSync(dirname(stampFile), { recursive: true });
  // The build writes generated sources, which are part of the stamp, so it is computed again.
  writeFileSync(stampFile, stampOfSources());
  process.stdout.write(`  built in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
  return true;
}

function isBuilt() {
  return programs.every((path) => existsSync(join(root, path, 'bundle')));
}

/** A hash that changes when a source file is added, removed or written. */
function stampOfSources() {
  const hash = createHash('sha256');
  for (const path of sources) add(hash, join(root, path));
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
    if (!['dist', 'bundle', 'node_modules', 'sample', '.turbo'].includes(name)) add(hash, join(path, name));
  }
}

/** Makes the programs whose sources have changed, and checks no types. @returns whether to go on */
function runTurbo() {
  const program = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };
  return run(process.execPath, [program, 'run', 'bundle', '--output-logs=errors-only'], quiet);
}
