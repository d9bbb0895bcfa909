const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The language as a BCP 47 tag; undefined if it is not well-formed. */
export function languageTag(language: string | undefined): string | undefined {
  return language !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}

/** `German`; undefined for what has no name in English. */
export function languageName(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined) return undefined;
  try {
    return names.of(tag);
  } catch {
    // Well-formed for HTML, but unknown to Intl.
    return undefined;
  }
}

/** `in German`, for a text that is not in English as the page is. */
export function inLanguage(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined || /^en(?:-|$)/i.test(tag)) return undefined;
  const name = languageName(language);
  return name && `in ${name}`;
}
