/**
 * Changes a text from outside so that no mail program turns it into a link (SECURITY.md#mail). It replaces dots in host
 * names, of any width, and colons in URLs by characters that look the same.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(/(?<=\S)[.．](?=\p{L}{2})|(?<=[\p{sc=Latin}\p{N}])[。｡](?=\p{sc=Latin}{2})/gu, '\u2024')
    .replace(/[:：](?=[/／])/g, '\ua789');
}
