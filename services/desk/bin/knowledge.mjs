#!/usr/bin/env node
// Starts the command line `knowledge`. This file is not in bundle, so that npm can link it before the build.
import { existsSync } from 'node:fs';

const main = new URL('../bundle/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('knowledge is not built yet; run "npm run build" in the root of the repository.\n');
  process.exitCode = 1;
}
