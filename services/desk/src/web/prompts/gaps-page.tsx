import type { ListSearchGapsResponse } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Html } from '@knowledge/runtime/html';
import type { LimitView } from '../../present/limit.js';
import { sites } from '../../words.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, tableOf, titledTable } from '../layout/tables.js';
import { siteTitle, strange } from '../layout/values.js';
import type { ReadArticle } from './most-read.js';
import { questionAbout } from './prompt-form.js';

/** What readers search and do not find, what they read most, and how many met their limit. `mayAsk` leads to a prompt. */
export function gapsPage(
  { gaps }: ListSearchGapsResponse,
  most: readonly ReadArticle[],
  limits: readonly LimitView[],
  mayAsk: boolean,
): Shown {
  const main = (
    <>
      <h1>What readers look for</h1>
      <p class="soft">
        Searches of the last 30 days that at least five different readers made in one week. The numbers are estimates of
        different readers.
      </p>
      {tableOf('Searches', gaps, gapColumns(mayAsk), 'No search of five different readers yet.')}
      {sites.words.map((site) =>
        titledTable(
          `Read most in the last 30 days, ${siteTitle(site)}`,
          most.filter((each) => sites.fromWire(each.site) === site),
          mostColumns,
          'No article was read.',
        ),
      )}
      {titledTable(
        'How many readers met their limit',
        limitDays(limits),
        limitColumns,
        'No reader read all articles of a day in the last 30 days.',
      )}
      <p class="soft">
        Readers who took the last article of their day. A limit counts both sites together, so these numbers are not
        told apart by site.
      </p>
    </>
  );
  return { title: 'What readers look for', main };
}

function gapColumns(mayAsk: boolean): readonly Column<ListSearchGapsResponse['gaps'][number]>[] {
  return [
    // On a phone only the first columns are seen, so the words themselves lead on.
    { header: 'Words', cell: ({ words }) => (mayAsk ? askAbout(words) : strange(words)) },
    { header: 'Readers', cell: ({ readers }) => readers },
    { header: 'Found nothing', cell: ({ notFound }) => notFound },
    { header: 'Read nothing', cell: ({ notRead }) => notRead },
  ];
}

function askAbout(words: string): Html {
  // Replies to prompts are published on this site only.
  const path = `/prompts/new?${new URLSearchParams({ site: 'org', question: questionAbout(words) })}`;
  return (
    <a href={path} aria-label={`Ask about ${words}`}>
      {strange(words)}
    </a>
  );
}

const mostColumns: readonly Column<ReadArticle>[] = [
  {
    header: 'Article',
    cell: ({ site, slug, title }) => (
      <a href={`/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}`}>
        <bdi>{title ?? slug}</bdi>
      </a>
    ),
  },
  { header: 'Reads', cell: ({ reads }) => String(reads), isNumber: true },
];

/** A day, and how many readers met each limit of articles. */
interface LimitDay {
  readonly day: string;
  readonly met: Readonly<Record<string, number>>;
}

/** The days on which readers met a limit, newest first. */
export function limitDays(limits: readonly LimitView[]): readonly LimitDay[] {
  const days = new Map<string, Record<string, number>>();
  for (const { policy, used_up } of limits) {
    if (!(policy in readers)) continue;
    for (const { day, subjects } of used_up) days.set(day, { ...days.get(day), [policy]: subjects });
  }
  return [...days].map(([day, met]) => ({ day, met })).sort((a, b) => b.day.localeCompare(a.day));
}

const readers: Readonly<Record<string, string>> = {
  read_verified_email: 'With a token',
  read_client_id: 'With a client id',
  read_address: 'Without both, by IP address',
};

const limitColumns: readonly Column<LimitDay>[] = [
  { header: 'Day, UTC', cell: ({ day }) => day },
  ...Object.entries(readers).map(([policy, header]) => ({
    header,
    cell: ({ met }: LimitDay) => String(met[policy] ?? 0),
    isNumber: true,
  })),
];
