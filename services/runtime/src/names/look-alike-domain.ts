import { lookAlikes } from './look-alike.js';

/** Whether a host name has Punycode, or a part with foreign letters that people read as Latin ones. */
export function looksLikeAnother(host: string): boolean {
  return host
    .toLowerCase()
    .split('.')
    .some((label) => {
      if (label.startsWith('xn--')) return true;
      return foreign.test(label) && lookAlikes(label).some((form) => /^[a-z0-9-]+$/.test(form));
    });
}

/** A letter that is not Latin, or a sign that no host name has. */
const foreign = /(?!\p{sc=Latin})\p{L}|[^\p{ASCII}\p{L}\p{M}\p{N}-]/u;
