/** A BCP 47 tag in its canonical form, at most 35 characters; undefined if it is none. */
export function canonicalLanguage(tag: string): string | undefined {
  // No language has a longer code; `english` would pass as one that is not registered.
  if (tag.length > 35 || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
