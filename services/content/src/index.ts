export { type ContentConfig, readContentConfig } from './config.js';
export { type ContentProcess, migrate, start } from './service.js';
