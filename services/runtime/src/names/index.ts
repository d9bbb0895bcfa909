export { bareHostsIn, hostOf, hostsIn, spokenDot, withDots } from '../text/hosts.js';
export { contactIn, lineOfAddress, namesMessenger } from './contact-in.js';
export {
  areAlike,
  isPlaceholder,
  isReservedName,
  lookAlikes,
  looksLikeAnother,
  plainSpelling,
  registrableDomain,
} from './reserved-name.js';
