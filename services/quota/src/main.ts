import '@knowledge/runtime/small-start';
import { runMain } from '@knowledge/runtime';
import { migrate, start } from './service.js';

await runMain(start, { migrate });
