import type { TextCheck } from './check.js';

/** Finds HTML, scripts and data URLs, which a text about practice does not need. Readers never get them as markup. */
export const markup: TextCheck = ({ loose }) => {
  if (/\b(?:data:[a-z]+\/[a-z0-9.+-]+[;,]|javascript:|vbscript:)/i.test(loose)) {
    return { weight: 25, text: 'a link that carries data or a script in itself' };
  }
  const tag = /<\/?(?:script|iframe|object|embed|form|style|img|svg|a|meta|link|base|div|span|table)\b[^<>]{0,200}>/i;
  const found = tag.exec(loose)?.[0];
  if (found === undefined) return undefined;
  return { weight: /^<\/?(?:script|iframe|object|embed|form)/i.test(found) ? 25 : 10, text: 'HTML markup in the text' };
};
