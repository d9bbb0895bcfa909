export { createLocal, type Local, type LocalOptions } from './runner/local.js';
export type { RunFile } from './runner/run-file.js';
export { importSample } from './runner/sample.js';
