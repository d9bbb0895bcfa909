/** A BCP 47 tag in its canonical form, at most 35 characters; undefined if it is none. */
export function canonicalLanguage(tag: string): string | undefined {
  // No language has a longer code; `english` would pass as one that is not registered.
  if (tag.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    // All codes of two letters have names; of those with three the runtime knows only some.
    const known = canonical === undefined || !/^[a-z]{2}(-|$)/.test(canonical) || names.of(canonical) !== undefined;
    return known ? canonical : undefined;
  } catch {
    return undefined;
  }
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
