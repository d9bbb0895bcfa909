import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleReads,
  type ListSearchGapsResponse,
  SearchCountServiceService,
} from '@knowledge/proto/knowledge/content/v1/search_counts';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sites } from '../base/words.js';
import { type LimitView, presentLimit } from '../limits/limits.js';
import {
  type Cells,
  hasRole,
  type Shown,
  showPage,
  siteTitle,
  staffOf,
  strange,
  tableOf,
  titled,
  titledTable,
  titleLink,
  type WebDesk,
} from '../pages/index.js';
import { promptWriters } from './web.js';

/** Registers the page on what readers search and do not find, and what they read. */
export function registerGaps(app: FastifyInstance, { calls }: WebDesk): void {
  const content = calls('content', ContentServiceService);
  const searches = calls('content', SearchCountServiceService);
  const quota = calls('quota', QuotaAdminServiceService);

  /** The articles of a site that were read most. */
  const readMost = async (site: Site, request: FastifyRequest): Promise<ReadArticle[]> => {
    const { articles } = await searches(request).listMostRead({ site, limit: mostRead });
    if (articles.length === 0) return [];
    const items = articles.map(({ slug }) => ({ site, slug, context: undefined }));
    const { results } = await content(request).getArticles({ items });
    return articles.map((each, at) => {
      const outcome = results[at]?.outcome;
      return { ...each, title: outcome?.$case === 'article' ? outcome.value.entry?.title : undefined };
    });
  };

  showPage(app, '/prompts/gaps', async (request) => {
    const [gaps, most, { limits }] = await Promise.all([
      searches(request).listSearchGaps({ limit: 200 }),
      Promise.all(sites.words.map((name) => readMost(sites.toWire(name), request))),
      quota(request).listLimits({}),
    ]);
    const mayAsk = hasRole(staffOf(request), ...promptWriters);
    return gapsPage(gaps, most.flat(), limits.map(presentLimit), mayAsk);
  });
}

/** An article that was read, and its title; undefined if readers no longer get it. */
interface ReadArticle extends ArticleReads {
  readonly title: string | undefined;
}

/** The number of articles in the list. It is short, because their titles come with their texts. */
const mostRead = 20;

/** What readers search and do not find, what they read most, and how many met their limit. `mayAsk` leads to a prompt. */
export function gapsPage(
  { gaps }: ListSearchGapsResponse,
  most: readonly ReadArticle[],
  limits: readonly LimitView[],
  mayAsk: boolean,
): Shown {
  return titled(
    'What readers look for',
    <>
      <p class="soft">
        Searches of the last 30 days that at least five different readers made in one week. The numbers are estimates of
        different readers.
      </p>
      {tableOf('Searches', gaps, gapCells(mayAsk), 'No search of five different readers yet.')}
      {sites.words.map((site) =>
        titledTable(
          `Read most in the last 30 days, ${siteTitle(site)}`,
          most.filter((each) => sites.fromWire(each.site) === site),
          mostCells,
          'No article was read.',
          'Reads',
        ),
      )}
      {titledTable(
        'How many readers met their limit',
        limitDays(limits),
        limitCells,
        'No reader read all articles of a day in the last 30 days.',
        ...Object.values(readers),
      )}
      <p class="soft">
        Readers who took the last article of their day. A limit counts both sites together, so these numbers are not
        told apart by site.
      </p>
    </>,
  );
}

function gapCells(mayAsk: boolean): Cells<ListSearchGapsResponse['gaps'][number]> {
  return {
    // On a phone only the first columns are seen, so the words themselves lead on.
    Words: ({ words }) => (mayAsk ? askAbout(words) : strange(words)),
    Readers: 'readers',
    'Found nothing': 'notFound',
    'Read nothing': 'notRead',
  };
}

function askAbout(words: string) {
  // Replies to prompts are published on this site only.
  const path = `/prompts/new?${new URLSearchParams({ site: 'org', question: questionAbout(words) })}`;
  return (
    <a href={path} aria-label={`Ask about ${words}`}>
      {strange(words)}
    </a>
  );
}

/** The question that a search without a good hit becomes. */
export function questionAbout(words: string): string {
  return `What have you learnt about “${words}” where you work, and what would you do differently?`;
}

const mostCells: Cells<ReadArticle> = {
  Article: ({ site, slug, title }) =>
    titleLink(`/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}`, title ?? slug),
  Reads: ({ reads }) => String(reads),
};

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

const limitCells: Cells<LimitDay> = {
  'Day, UTC': ({ day }) => day,
  ...Object.fromEntries(
    Object.entries(readers).map(([policy, header]) => [header, ({ met }: LimitDay) => String(met[policy] ?? 0)]),
  ),
};
