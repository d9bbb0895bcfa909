import snowball from 'snowball-stemmers';
import { deu, eng, fra, pol, por, ron, rus, spa, tur } from 'stopword';
import type { CollectionText } from '../collection.js';

const languages: Readonly<Record<string, { readonly stemmer: string; readonly stopWords: readonly string[] }>> = {
  de: { stemmer: 'german', stopWords: deu },
  en: { stemmer: 'english', stopWords: eng },
  es: { stemmer: 'spanish', stopWords: spa },
  fr: { stemmer: 'french', stopWords: fra },
  pl: { stemmer: 'porter', stopWords: pol },
  pt: { stemmer: 'portuguese', stopWords: por },
  ro: { stemmer: 'romanian', stopWords: ron },
  ru: { stemmer: 'russian', stopWords: rus },
  tr: { stemmer: 'turkish', stopWords: tur },
};

/** BM25 in its plainest form, with the stems and stop words of one language. Title and body are one text. */
export function bm25(
  texts: readonly CollectionText[],
  { k1, b, language }: { readonly k1: number; readonly b: number; readonly language: string },
): (query: string) => string[] {
  const { stemmer: name, stopWords } = languages[language] ?? languages['en'] ?? { stemmer: 'english', stopWords: [] };
  const stemmer = snowball.newStemmer(name);
  const stops = new Set(stopWords);
  const terms = (text: string): string[] =>
    (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])
      .filter((word) => !stops.has(word))
      .map((word) => stemmer.stem(word));

  const postings = new Map<string, Map<number, number>>();
  const lengths = texts.map(({ title, body }, at) => {
    const own = terms(`${title} ${body}`);
    for (const term of own) {
      const having = postings.get(term) ?? new Map<number, number>();
      postings.set(term, having.set(at, (having.get(at) ?? 0) + 1));
    }
    return own.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;

  return (query) => {
    const scores = new Map<number, number>();
    for (const term of terms(query)) {
      const having = postings.get(term) ?? new Map<number, number>();
      const rarity = Math.log(1 + (texts.length - having.size + 0.5) / (having.size + 0.5));
      for (const [at, count] of having) {
        const score = (rarity * count) / (count + k1 * (1 - b + (b * (lengths[at] ?? 0)) / mean));
        scores.set(at, (scores.get(at) ?? 0) + score);
      }
    }
    return [...scores].sort(([a, one], [c, other]) => other - one || a - c).map(([at]) => texts[at]?.id ?? '');
  };
}
