export { hostsIn, looksLikeAnother } from './look-alike-domain.js';
export { isReservedName } from './reserved-name.js';
