import polish from '@nlpjs/lang-pl';
import snowball from 'snowball-stemmers';
import { fold } from './words.js';

/**
 * Reduces a word to its stem without accents, so that its forms meet. A word of a language without a stemmer keeps its
 * form. A text of unknown language is read as English.
 */
export function stem(word: string, language: string) {
  return (stemmers.get(language || 'en') ?? fold)(word);
}

/** The primary tag of a BCP 47 tag, with both written forms of Norwegian as one. */
export function primaryLanguage(tag: string) {
  const primary = tag.split('-', 1)[0]?.toLowerCase() ?? '';
  return primary === 'nb' || primary === 'nn' ? 'no' : primary;
}

/** The languages whose words are reduced to stems, beside Polish. */
const snowballNames = {
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
};

const stemPolish = new polish.StemmerPl();
const stemmers = new Map<string, (word: string) => string>([
  ...Object.entries(snowballNames).map(([language, name]) => {
    const stemmer = snowball.newStemmer(name);
    const own = (word: string) => (language === 'en' ? ownEnglishStem(word) : undefined);
    // A stemmer may take everything from a short word.
    return [language, remembered((word) => own(word) ?? (fold(stemmer.stem(word)) || fold(word)))] as const;
  }),
  ['pl', remembered((word) => fold(stemPolish.stemWord(word)) || fold(word))],
]);

/** The number of words that each memory of a language holds, for stems or for terms; some 2 MB. */
const maxRemembered = 20_000;

/** Remembers what it computes. A text has most of its words many times, and a stemmer is slow. */
export function remembered(compute: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= maxRemembered) known.clear();
    const computed = compute(word);
    known.set(word, computed);
    return computed;
  };
}

/**
 * The stems of English words that the stemmer mixes up with other words, such as officer with office. They are given by the
 * beginning that all forms of the word have.
 */
export function ownEnglishStem(word: string) {
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
