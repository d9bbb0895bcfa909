import { dan, deu, eng, fin, fra, hun, ita, nld, nob, pol, por, ron, rus, spa, swe, tur } from 'stopword';
import { fold } from './fold.js';

/** Whether a word is so frequent in the language that it says nothing about a text. */
export function isStopWord(word: string, language: string): boolean {
  return lists.get(language === '' ? 'en' : language)?.has(fold(word)) ?? false;
}

const byLanguage = {
  ...{ da: dan, de: deu, en: eng, es: spa, fi: fin, fr: fra, hu: hun, it: ita, nl: nld, no: nob, pl: pol, pt: por },
  ...{ ro: ron, ru: rus, sv: swe, tr: tur },
};

const lists = new Map(
  Object.entries(byLanguage).map(([language, words]) => [
    language,
    new Set(words.map((word) => fold(word.toLowerCase()))),
  ]),
);
