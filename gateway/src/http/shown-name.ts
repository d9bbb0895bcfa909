/** Makes a caller's name for a field safe to show in a message: printable and at most 60 characters long. */
export function shownName(name: string): string {
  return [...name.replace(/[^\x20-\x7e]/g, '?')].slice(0, 60).join('');
}
