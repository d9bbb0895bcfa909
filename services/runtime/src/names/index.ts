export { isReservedName } from './reserved-name.js';
