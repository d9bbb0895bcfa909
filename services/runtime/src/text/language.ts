/** What `canonicalLanguage` demands, as the rest of a message. */
export const languageBound = 'must be the BCP 47 tag of a known language, such as en, de or pt-BR, not its name';

/** Returns the canonical form of a BCP 47 tag of at most 35 characters. Undefined if the tag is invalid. */
export function canonicalLanguage(tag: string): string | undefined {
  // Language codes have two or three letters. Without this check `english` would be accepted as an unregistered code.
  if (tag.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    // Node has a name for every two-letter code, but only for some three-letter codes.
    const known = canonical === undefined || !/^[a-z]{2}(-|$)/.test(canonical) || names.of(canonical) !== undefined;
    return known ? canonical : undefined;
  } catch {
    return undefined;
  }
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
