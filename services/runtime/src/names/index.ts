export { hostsIn, looksLikeAnother } from './look-alike-domain.js';
export { lineOfAddress } from './own-address.js';
export { isPlaceholder } from './placeholder.js';
export { isReservedName } from './reserved-name.js';
