import { runMain } from '@knowledge/runtime';
import { start } from './index.js';

await runMain(start);
