export type { RunFile } from './runner/run-file.js';
export { importSample } from './runner/sample.js';
