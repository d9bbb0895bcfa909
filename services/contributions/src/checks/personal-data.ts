import { codePoints } from '@knowledge/runtime';
import type { TextCheck } from './check.js';

/** Finds an e-mail address or a telephone number. Published, it would be personal data of somebody. */
export const personalData: TextCheck = ({ title, body }) => {
  const text = `${title ?? ''}\n${body}`.normalize('NFKC');
  const found = [
    /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u.test(text)
      ? 'an e-mail address'
      : undefined,
    hasTelephoneNumber(text) ? 'a telephone number' : undefined,
  ].filter((each) => each !== undefined);
  return found.length === 0 ? undefined : { weight: 20, text: `${found.join(' and ')} in the text` };
};

// A number counts if it begins with + or 0 and has 9 to 15 digits. So dates and amounts do not count.
function hasTelephoneNumber(text: string): boolean {
  for (const [found] of text.matchAll(/(?<![\p{L}\p{N}.,/-])(?:\+|\(?0)[\d\s()/.-]{7,24}\d(?![\p{L}\p{N}])/gu)) {
    const digits = codePoints(found.replace(/\D/g, ''));
    const isDate = /^\(?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(found);
    if (digits >= 9 && digits <= 15 && !isDate) return true;
  }
  return false;
}
