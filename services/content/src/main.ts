import '@knowledge/runtime/small-start';
import { runMain } from '@knowledge/runtime';
import { migrate, refillSearch, start } from './service.js';

await runMain(start, { migrate, 'refill-search': refillSearch });
