import { dayElement, type Fragment, type Html, inLanguage, languageTag } from '@knowledge/runtime/html';
import { publishedKinds } from '@knowledge/runtime/product';
import type { Hit } from '../../present/search.js';
import { siteTitles } from '../../upstream/sites.js';
import { byCommunity, joinWithDots, listTitle, readingTime } from './entries.js';

/** A hit in a list, with its words marked; `namesSite` says on which site it is. */
export function hitEntry(hit: Hit, namesSite: boolean): Html {
  const mark = markWordsOf(hit);
  const { language, site, human_url, published_at } = hit;
  const title = hit.kind === 'article' ? hit.title : listTitle(hit);
  return (
    <li lang={(language && languageTag(language)) || ''}>
      <h3 dir="auto">
        <a href={human_url}>{mark(title)}</a>
      </h3>
      {passage(hit, mark)}
      {hit.gloss !== null && (
        <p class="note" lang="en">
          {mark(hit.gloss.title)}. {mark(hit.gloss.summary)}
        </p>
      )}
      <p class="byline" lang="en">
        {joinWithDots([
          hit.kind === 'article' ? 'Article' : publishedKinds[hit.kind].name,
          namesSite && siteTitles[site],
          hit.kind === 'article' ? mark(hit.author) : byCommunity(hit.kind, hit.author),
          dayElement(new Date(published_at)),
          hit.kind === 'article' && readingTime(hit.word_count),
          inLanguage(language ?? ''),
        ])}
      </p>
    </li>
  );
}

function passage({ snippet, summary }: Hit, mark: MarkWords): Fragment {
  if (snippet === null) return <p dir="auto">{mark(summary)}</p>;
  return (
    <p dir="auto">
      {snippet.heading !== null && <strong>{mark(snippet.heading)}: </strong>}
      {mark(snippet.text)}
    </p>
  );
}

/** Marks the words of a text that a search found in it. */
type MarkWords = (text: string) => Fragment;

/** Makes the marker of a hit. It knows words in any case, with or without accents, as the search finds them. */
export function markWordsOf({ matched }: Pick<Hit, 'matched'>): MarkWords {
  const known = new Set(matched.flatMap(({ word, found }) => [word, ...found].flatMap(foldedWords)));
  if (known.size === 0) return (text) => text;
  // A split by a group keeps the words: they stand at the odd places.
  return (text) =>
    text.split(wordPattern).map((part, at) => (at % 2 === 1 && known.has(fold(part)) ? <mark>{part}</mark> : part));
}

const wordPattern = /([\p{L}\p{N}\p{M}]+)/u;

// Short words of a phrase, such as `of`, are not marked, since they stand everywhere.
function foldedWords(form: string) {
  const words = form.split(wordPattern).filter((_, at) => at % 2 === 1);
  return words.filter((word) => words.length === 1 || word.length > 3).map(fold);
}

function fold(word: string) {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}
