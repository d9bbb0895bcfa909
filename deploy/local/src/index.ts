export type { RunFile } from './runner/local.js';
export { importSample } from './runner/sample.js';
