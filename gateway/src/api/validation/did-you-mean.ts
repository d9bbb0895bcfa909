import { distance } from 'fastest-levenshtein';

/** Makes a hint such as ` (did you mean title?)`; an empty text if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const start = name.slice(0, 60);
  const [nearest] = known.map((each) => ({ each, slips: slips(each, start) })).sort((a, b) => a.slips - b.slips);
  return nearest !== undefined && nearest.slips <= Math.max(1, start.length / 4)
    ? ` (did you mean ${nearest.each}?)`
    : '';
}

// Counts typing mistakes. Swapped letters, as in `titel`, count as one; a shortened name, such as `lang`, as none.
function slips(known: string, name: string): number {
  if (name.length > 1 && known.startsWith(name)) return 0;
  return sorted(known) === sorted(name) ? Math.min(1, distance(known, name)) : distance(known, name);
}

function sorted(name: string): string {
  return [...name].sort().join('');
}
