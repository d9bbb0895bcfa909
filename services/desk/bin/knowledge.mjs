#!/usr/bin/env node
// The command line `knowledge`. It is here, not in dist, so that npm links it before anything is built.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('knowledge is not built yet; run "npm run build" in the root of the repository.\n');
  process.exitCode = 1;
}
