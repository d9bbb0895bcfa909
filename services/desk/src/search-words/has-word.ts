import type { SynonymView } from './synonym-entry.js';

/** Whether a group has a word that contains this text, in upper or lower case. */
export function hasWord({ words, from }: Pick<SynonymView, 'words' | 'from'>, text: string): boolean {
  const wanted = text.toLowerCase();
  return [...words, ...from].some((each) => each.toLowerCase().includes(wanted));
}
