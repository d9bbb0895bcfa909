/** The canonical form of a BCP 47 tag of at most 35 characters; undefined if it is invalid. */
export function canonicalLanguage(tag: string): string | undefined {
  // Language codes have two or three letters. Without this `english` would pass as an unregistered code.
  if (tag.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const canonical = Intl.getCanonicalLocales(tag)[0];
    // Every code of two letters has a name here, but the runtime knows only some of those with three.
    const known = canonical === undefined || !/^[a-z]{2}(-|$)/.test(canonical) || names.of(canonical) !== undefined;
    return known ? canonical : undefined;
  } catch {
    return undefined;
  }
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
