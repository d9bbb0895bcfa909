import { dayElement, type Fragment, type Html, inLanguage, languageTag } from '@knowledge/runtime/html';
import { communityTexts, publishedKinds } from '@knowledge/runtime/product';
import type { Static } from 'typebox';
import type { ArticleEntrySchema } from '../../protocol/articles.js';
import type { HighlightSchema } from '../../protocol/highlights.js';
import { limits } from '../../protocol/limits.js';
import type { ObjectEntrySchema } from '../../protocol/objects.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { rootPath } from '../parts/head.js';
import { pageUrl, titledSection } from '../parts/layout.js';

export type ArticleEntry = Static<typeof ArticleEntrySchema>;
export type ObjectEntry = Static<typeof ObjectEntrySchema>;

/** An article that the editors chose. */
export type Highlight = Static<typeof HighlightSchema>;

/** The level of the headings in a list: one below the heading above it. */
type Level = 2 | 3 | 4;

/** A list of articles. With `tagged` it shows their tags, which link to lists of that site. */
export function articleEntries(entries: readonly ArticleEntry[], level: Level, tagged?: Tagged): Html {
  return list(
    entries.map((entry) => articleEntry(entry, level, entry.summary && <p dir="auto">{entry.summary}</p>, tagged)),
  );
}

type Tagged = { readonly site: SiteName; readonly sites: Sites };

/** An article in a list, with `words` below its title. */
function articleEntry(entry: ArticleEntry, level: Level, words: Fragment, tagged?: Tagged) {
  const { title, language, author, published_at, word_count, human_url } = entry;
  const tag = languageTag(language);
  return (
    <li lang={tag}>
      {linked(title, human_url, level)}
      {words}
      <p class="byline" lang="en">
        {joinWithDots([author, dayElement(new Date(published_at)), readingTime(word_count), inLanguage(language)])}
      </p>
      {tagged && entry.tags.length > 0 && (
        <p class="byline tagged" lang="en">
          {entry.tags.map((each) => [
            <a href={pageUrl('/articles', tagged.site, tagged.sites, { tag: each })}>{each}</a>,
            ' ',
          ])}
        </p>
      )}
    </li>
  );
}

/** A list of objects; `brief` leaves out their summaries. */
export function objectEntries(entries: readonly ObjectEntry[], level: Level, brief = false): Html {
  return list(
    entries.map(({ title, summary, author, kind, published_at, edited_at, human_url }) => (
      <li>
        {linked(listTitle({ kind, title, summary }), human_url, level)}
        {!brief && <p dir="auto">{kind === 'prompt_reply' ? `In reply to: ${questionOf(title)}` : summary}</p>}
        <p class="byline">
          {joinWithDots([
            publishedKinds[kind].name,
            byCommunity(kind, author),
            dayElement(new Date(published_at)),
            editedWords({ edited_at }),
          ])}
        </p>
      </li>
    )),
  );
}

/** Says that a moderator edited a text, and when; nothing for other texts. */
export function editedWords({ edited_at }: Pick<ObjectEntry, 'edited_at'>): Fragment {
  return edited_at ? ['Edited by a moderator on ', dayElement(new Date(edited_at))] : undefined;
}

/** The title of an entry in a list. A reply shows its first words, since all replies to a prompt share one title. */
export function listTitle({ kind, title, summary }: Pick<ObjectEntry, 'kind' | 'title' | 'summary'>): string {
  return kind === 'prompt_reply' ? beginning(summary) : title;
}

// The catalog calls a reply `Reply to: `, followed by the question.
function questionOf(title: string) {
  return title.replace(/^Reply to: /, '');
}

function beginning(text: string) {
  const characters = [...text];
  if (characters.length <= 90) return text;
  const first = characters.slice(0, 90).join('');
  return `${first.replace(/\s+\S*$/, '')} …`;
}

export function list(items: readonly Html[]): Html {
  return <ol class="entries-list">{items}</ol>;
}

/** Links that stand beside each other, such as tags; `label` is what screen readers read in place of the content. */
export function linkTags(tags: readonly { url: string; content: Fragment; label?: string }[]): Html {
  return (
    <ul class="tags">
      {tags.map(({ url, content, label }) => (
        <li>
          <a href={url} aria-label={label}>
            {content}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Joins the parts that are present with dots. */
export function joinWithDots(parts: readonly Fragment[]): Fragment {
  const present = parts.filter((part) => part !== undefined && part !== false && part !== '');
  // The dot stays with the part before it, so that no line begins with a dot.
  return present.map((part, at) => [
    <span>
      {part}
      {at < present.length - 1 && dot}
    </span>,
    ' ',
  ]);
}

const dot: Fragment = [' ', <span aria-hidden="true">·</span>];

/** The author of an object. A name from the community is marked, so that nobody can pass for an editor. */
export function byCommunity(kind: ObjectEntry['kind'], author: string): Fragment {
  if (kind === 'knowledge') return author;
  return author === '' ? communityMark : [<bdi>{author}</bdi>, ' ', communityMark];
}

/** Marks a text of the community. */
export const communityMark = <span class="mark">community</span>;

/** How long most people read, at 220 words a minute. */
export function readingTime(words: number): string {
  return `${Math.max(1, Math.round(words / 220))} min read`;
}

function linked(title: string, url: string, level: Level) {
  const Heading = `h${level}` as const;
  return (
    <Heading dir="auto">
      <a href={url}>{title}</a>
    </Heading>
  );
}

/** The form for a search; `within` is the site to search, or all. It needs no script. */
export function searchForm(site: SiteName, sites: Sites, query = '', within: SiteName | 'all' = site): Html {
  // The policy only allows forms to the same host, which may differ from the public URL.
  return (
    <search lang="en">
      <form class="search" action={`${rootPath(site, sites)}/search`} method="get">
        <label for="q">Search articles, {communityTexts}</label>
        <input type="hidden" name="site" value={within} />
        <input type="search" id="q" name="q" value={query} maxlength={limits.query.max} autocomplete="off" />
        <button>Search</button>
      </form>
    </search>
  );
}

/** Links to the next and previous part of a list; undefined if there are none. */
export function pager({ url, cursor, next, page = 1, hasMore = false, words = 'Older' }: PagerParts): Html | undefined {
  const hasNext = hasMore || next !== '';
  if (cursor === '' && page === 1 && !hasNext) return undefined;
  const newer = (
    <a href={url(page > 2 ? { page: String(page - 1) } : {})} rel="prev">
      Newer
    </a>
  );
  return (
    <nav class="pager" aria-label="More of this list">
      {page > 1 ? newer : cursor !== '' && <a href={url({})}>Back to the beginning</a>}{' '}
      {hasNext && (
        <a href={url(hasMore ? { page: String(page + 1) } : { cursor: next })} rel="next">
          {words}
        </a>
      )}
    </nav>
  );
}

interface PagerParts {
  /** Makes the URL of a part of the list. */
  readonly url: (part: { page?: string; cursor?: string }) => string;
  /** The cursor of this page; empty for the first. */
  readonly cursor: string;
  /** The cursor of the next page; empty at the end. */
  readonly next: string;
  /** Only for numbered lists: the number of this page, and whether another follows. */
  readonly page?: number;
  readonly hasMore?: boolean;
  readonly words?: string;
}

/** The most highlights that a page shows beside other texts. */
export const mostHighlights = 5;

/** The section of the first highlights, with the notes of the editors; undefined without any. */
export function chosenByEditors(highlights: readonly Highlight[]): Html | undefined {
  if (highlights.length === 0) return undefined;
  const noteOf = ({ editor_note, summary }: Highlight): Fragment =>
    editor_note === '' ? (
      summary && <p dir="auto">{summary}</p>
    ) : (
      <p class="note" lang="en" dir="auto">
        {editor_note}
      </p>
    );
  const shown = highlights.slice(0, mostHighlights).map((each) => articleEntry(each, 3, noteOf(each)));
  return titledSection('highlights', 'Chosen by the editors', list(shown));
}

/** Shown in place of a list that failed to load. */
export function unavailableNote(what: string): Html {
  return <p class="soft">{what} cannot be listed right now; try again in a moment.</p>;
}
