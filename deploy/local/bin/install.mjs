// Plain JavaScript without dependencies, since nothing may be installed yet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs `npm ci` where packages are missing or not those of the lock file. Returns whether to go on. */
export async function install() {
  if (isInstalled()) return true;
  process.stdout.write('Installing the packages of package-lock.json (npm ci) …\n');
  const npm = process.env.npm_execpath;
  return npm === undefined ? run('npm', ['ci']) : run(process.execPath, [npm, 'ci']);
}

/** Runs a program in the terminal and passes signals on to it. Returns whether to go on. */
export async function run(program, args, env = {}) {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const [code] = await once(child, 'exit');
  for (const signal of signals) process.off(signal, stop);
  if (code !== 0) process.exitCode = 1;
  return code === 0 && !stopped;
}

/** Compares the lock file with npm's own list of what it installed. Packages for other systems may be missing. */
function isInstalled() {
  try {
    const locked = packagesIn(join(root, 'package-lock.json'));
    const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
    const needed = Object.keys(locked).filter((name) => name.includes('node_modules/') && !locked[name].optional);
    const isSame = (name) => installed[name] !== undefined && installed[name].version === locked[name]?.version;
    return [...needed, ...Object.keys(installed)].every(isSame);
  } catch {
    return false;
  }
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install();
