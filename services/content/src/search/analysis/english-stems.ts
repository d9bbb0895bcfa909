/**
 * The stems of English words that the stemmer mixes up with other words, such as officer with office. They are given by the
 * beginning that all forms of the word have.
 */
export function ownEnglishStem(word: string): string | undefined {
  return stems.find((stem) => word.startsWith(stem));
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
