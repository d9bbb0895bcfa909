/** Returns the cursor and the URL of the next list page; both are null on the last page. */
export function nextPage(base: string, parameters: Readonly<Record<string, string>>, cursor: string) {
  if (cursor === '') return { next_cursor: null, next_url: null };
  return { next_cursor: cursor, next_url: listUrl(base, { ...parameters, cursor }) };
}

/** Makes the URL of a list. Empty parameters are left out. */
export function listUrl(base: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== '') query.set(name, value);
  return `${base}?${query}`;
}
