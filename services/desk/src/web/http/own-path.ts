/** The path of a page of our own that `next` names; the start page for anything else. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > 2000) return '/';
  // Browsers read `//host` and `/\host` as another site, and drop tabs and line breaks before they do.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return '/';
  const base = 'http://desk.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : undefined;
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  return url.pathname.startsWith('/sign-') ? '/' : `${url.pathname}${url.search}`;
}
