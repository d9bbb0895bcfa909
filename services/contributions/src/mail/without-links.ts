/**
 * A text from outside that no mail program turns into a link (SECURITY.md#mail). It replaces the dot of a host name and
 * the colon of a URL by characters that look the same.
 */
export function withoutLinks(text: string): string {
  return text.replace(/(?<=\S)\.(?=\p{L}{2})/gu, '\u2024').replace(/:(?=\/)/g, '\ua789');
}
