/** Escapes text for markup and quoted attributes, in HTML and XML. */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape, and a search is cheaper than a replacement.
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
