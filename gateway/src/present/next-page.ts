/** Returns the cursor and the URL of the next list page; both are null on the last page. */
export function nextPage(base: string, parameters: Record<string, string>, cursor: string) {
  if (cursor === '') return { next_cursor: null, next_url: null };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, cursor })) if (value !== '') query.set(name, value);
  return { next_cursor: cursor, next_url: `${base}?${query}` };
}
