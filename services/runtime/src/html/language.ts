const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The language as a BCP 47 tag; undefined if it is not well-formed. */
export function languageTag(language: string | undefined): string | undefined {
  return language !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}

/** The English name of a language, such as `German`; undefined if it has none. */
export function languageName(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined) return undefined;
  try {
    return names.of(tag);
  } catch {
    // Some tags are well-formed for HTML but unknown to Intl.
    return undefined;
  }
}

/** Words such as `in German` for a text in another language; undefined for English. */
export function inLanguage(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined || /^en(?:-|$)/i.test(tag)) return undefined;
  const name = languageName(language);
  return name && `in ${name}`;
}
