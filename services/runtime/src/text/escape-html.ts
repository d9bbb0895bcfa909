/** Escapes text for HTML and XML, both in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  // Most texts contain no special character, and a search is cheaper than a replacement.
  return special.test(text) ? text.replace(everySpecial, (each) => entities[each] ?? each) : text;
}

const special = /[&<>"']/;
const everySpecial = /[&<>"']/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
