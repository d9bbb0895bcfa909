import '@knowledge/runtime/small-start';
import { runMain } from '@knowledge/runtime';
import { start } from './service.js';

await runMain(start);
