export { migrate, start } from './service.js';
