import { setFlagsFromString } from 'node:v8';

// Loading modules makes V8 reserve 30 MB for young objects, and an idle process keeps them for minutes. So each `main.ts`
// imports this file first, and the young space grows only after the start, with the work that the process gets.
setFlagsFromString('--semi-space-growth-factor=1');
