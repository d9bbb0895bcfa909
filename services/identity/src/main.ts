import '@knowledge/runtime/small-start';
import { runMain } from '@knowledge/runtime';
import { migrate, start } from './service.js';

if (process.argv[2] === 'migrate') await migrate(process.env);
else await runMain(start);
