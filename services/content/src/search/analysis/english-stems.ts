/**
 * The stems of English words that the stemmer mixes up with other words, such as officer with office. They are given by the
 * beginning that all forms of the word have.
 */
export function ownEnglishStem(word: string): string | undefined {
  const found = ownStems.get(word.slice(0, shortest));
  return found?.find((stem) => word.startsWith(stem));
}

// Beside each the word that it is taken for.
const stems = [
  'accessib', // access
  'authoris', // author, as in authorisation
  'authorit', // author
  'authoriz', // author
  'container', // contain
  'customer', // custom
  'department', // depart
  'executiv', // execute
  'experiment', // experience
  'important', // import
  'international', // intern
  'inventor', // invent
  'objectiv', // object
  'officer', // office
  'positiv', // position
  'secretar', // secret
  'universit', // universe
];

const shortest = Math.min(...stems.map(({ length }) => length));

const ownStems = new Map<string, string[]>();
for (const stem of stems) {
  const beginning = stem.slice(0, shortest);
  ownStems.set(beginning, [...(ownStems.get(beginning) ?? []), stem]);
}
