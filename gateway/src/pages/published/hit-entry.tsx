import { dayElement, type Fragment, type Html, inLanguage, languageTag } from '@knowledge/runtime/html';
import type { Hit } from '../../present/search.js';
import { siteTitles } from '../../upstream/sites.js';
import { byCommunity, joinWithDots, kindWords, listTitle, readingTime } from './entries.js';
import { type MarkWords, markWordsOf } from './marked.js';

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
          hit.kind === 'article' ? 'Article' : kindWords[hit.kind],
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
