export { bareHostsIn, hostOf, hostsIn, spokenDot, withDots } from '../text/hosts.js';
export { contactIn, namesMessenger } from './contact-in.js';
export { areAlike, lookAlikes } from './look-alike.js';
export { looksLikeAnother } from './look-alike-domain.js';
export { lineOfAddress } from './own-address.js';
export { isPlaceholder } from './placeholder.js';
export { registrableDomain } from './registrable-domain.js';
export { isReservedName } from './reserved-name.js';
