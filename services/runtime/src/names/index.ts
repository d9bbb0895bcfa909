export { lookAlikes } from './look-alike.js';
export { isReservedName } from './reserved-name.js';
