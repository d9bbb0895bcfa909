import '@knowledge/runtime/small-start';
import { runMain, runTask } from '@knowledge/runtime';
import { migrate, refillSearch, start } from './service.js';

const [, , task] = process.argv;
if (task === 'migrate') await runTask(migrate);
else if (task === 'refill-search') await runTask(refillSearch);
else await runMain(start);
