import type { Static } from 'typebox';
import type { ArticleEntrySchema, ObjectEntrySchema } from '../../protocol/schemas.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { day } from '../parts/dates.js';
import type { Fragment, Html } from '../parts/html.js';
import { inLanguage, languageTag } from '../parts/language.js';
import { pageUrl } from '../parts/layout.js';

/** An article or an object in a list. */
export type ArticleEntry = Static<typeof ArticleEntrySchema>;
export type ObjectEntry = Static<typeof ObjectEntrySchema>;

/** When a text last changed for its readers: an article that came in long after it was published did not change by that. */
export function lastChangeOf(entry: Changed): string {
  return entry.revision === 1 ? entry.published_at : entry.updated_at;
}

type Changed = Pick<ArticleEntry, 'published_at' | 'updated_at'> & Partial<Pick<ArticleEntry, 'revision'>>;

/** What a list is of: its headings are one level below those around it. */
type Level = 2 | 3 | 4;

/** Articles in their order; with the site, each shows its tags. */
export function articleEntries(entries: readonly ArticleEntry[], level: Level, tagged?: Tagged): Html {
  return list(entries.map((entry) => articleEntry(entry, level, <p dir="auto">{entry.summary}</p>, tagged)));
}

/** Where the tags of an entry lead to. */
interface Tagged {
  readonly site: SiteName;
  readonly sites: Sites;
}

/** An article with other words below its title than its summary. */
export function articleEntry(entry: ArticleEntry, level: Level, words: Fragment, tagged?: Tagged): Html {
  const { title, language, author, published_at, word_count, human_url } = entry;
  const tag = languageTag(language);
  return (
    <li lang={tag}>
      {linked(title, human_url, level)}
      {words}
      <p class="byline" lang="en">
        {parts([author, day(new Date(published_at)), readingTime(word_count), inLanguage(language)])}
      </p>
      {tagged && entry.tags.length > 0 && (
        <p class="byline tagged" lang="en">
          {entry.tags.map((each) => (
            <>
              <a href={`${pageUrl('/articles', tagged.site, tagged.sites)}&tag=${encodeURIComponent(each)}`}>
                {each}
              </a>{' '}
            </>
          ))}
        </p>
      )}
    </li>
  );
}

/** Objects in their order; `brief` leaves their summaries out. */
export function objectEntries(entries: readonly ObjectEntry[], level: Level, brief = false): Html {
  return list(
    entries.map(({ title, summary, author, kind, published_at, human_url }) => (
      <li>
        {linked(listTitle({ kind, title, summary }), human_url, level)}
        {!brief && <p dir="auto">{kind === 'prompt_reply' ? `In reply to: ${questionOf(title)}` : summary}</p>}
        <p class="byline">{parts([kindWords[kind], byCommunity(kind, author), day(new Date(published_at))])}</p>
      </li>
    )),
  );
}

/** The title of an entry in a list: of a reply its own first words, as its title is the question that its neighbours share. */
export function listTitle({ kind, title, summary }: Pick<ObjectEntry, 'kind' | 'title' | 'summary'>): string {
  return kind === 'prompt_reply' ? beginning(summary) : title;
}

// The catalog's title of a reply says what it replies to.
function questionOf(title: string): string {
  return title.replace(/^Reply to: /, '');
}

function beginning(text: string): string {
  const characters = [...text];
  return characters.length <= 90
    ? text
    : `${characters
        .slice(0, 90)
        .join('')
        .replace(/\s+\S*$/, '')} …`;
}

/** A list of entries. */
export function list(items: readonly Html[]): Html {
  return <ol class="entries-list">{items}</ol>;
}

/** The kinds of an object in words. */
export const kindWords = { story: 'Story', prompt_reply: 'Reply to a prompt', knowledge: 'Knowledge' } as const;

/** What is there, with dots between. */
export function parts(each: readonly (Html | string | false | undefined)[]): Fragment {
  const present = each.filter((part) => part !== undefined && part !== false && part !== '');
  // Each with the dot that follows it, so that no line begins with one.
  return present.map((part, at) => (
    <>
      <span>
        {part}
        {at < present.length - 1 && (
          <>
            {' '}
            <span aria-hidden="true">·</span>
          </>
        )}
      </span>{' '}
    </>
  ));
}

/** The author of an object; a name that somebody of the community chose is marked as such, so that nobody passes for an editor. */
export function byCommunity(kind: ObjectEntry['kind'], author: string): Html | string {
  if (kind === 'knowledge') return author;
  return author === '' ? (
    communityMark
  ) : (
    <>
      <bdi>{author}</bdi> {communityMark}
    </>
  );
}

const communityMark = <span class="mark">community</span>;

/** How long most people read, at 220 words a minute. */
export function readingTime(words: number): string {
  return `${Math.max(1, Math.round(words / 220))} min read`;
}

function linked(title: string, url: string, level: Level): Html {
  const Heading = `h${level}` as const;
  return (
    <Heading dir="auto">
      <a href={url}>{title}</a>
    </Heading>
  );
}
