import '@knowledge/runtime/small-start';
import { runMain, runTask } from '@knowledge/runtime';
import { migrate, start } from './service.js';

if (process.argv[2] === 'migrate') await runTask(migrate);
else await runMain(start);
