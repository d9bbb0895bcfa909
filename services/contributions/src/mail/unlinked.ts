/**
 * A stranger's text in a form that no mail program turns into a link: the dot of what may be a host name and the colon of a
 * URL are replaced by characters that look the same (SECURITY.md#mail): every link in a mail is ours.
 */
export function unlinked(text: string): string {
  return text.replace(/(?<=\S)\.(?=\p{L}{2})/gu, '\u2024').replace(/:(?=\/)/g, '\ua789');
}
