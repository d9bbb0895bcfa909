/** A name that a stranger chose, printable and short enough for a message: at most 60 characters. */
export function shownName(name: string): string {
  return [...name.replace(/[^\x20-\x7e]/g, '?')].slice(0, 60).join('');
}
