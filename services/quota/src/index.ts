export { migrate, type QuotaProcess, start } from './service.js';
