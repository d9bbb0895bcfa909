import { fileURLToPath } from 'node:url';
import { runLocal } from './runner/run-local.js';

await runLocal(fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, ''));
