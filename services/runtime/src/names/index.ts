export { bareHostsIn, hostOf, hostsIn, spokenDot, withDots } from '../text/hosts.js';
export { contactIn, namesMessenger } from './contact-in.js';
export { areAlike, lookAlikes, looksLikeAnother } from './look-alike.js';
export { lineOfAddress } from './own-address.js';
export { registrableDomain } from './registrable-domain.js';
export { isPlaceholder, isReservedName } from './reserved-name.js';
