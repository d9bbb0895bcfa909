import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { Article, CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { SearchField, SearchResponse } from '@knowledge/proto/knowledge/content/v1/search';
import {
  Contribution,
  ContributionState,
  Prompt,
  PromptState,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  Authorization,
  AuthorizationState,
  GetAccessResponse,
  GetConfirmationResponse,
  Scope,
  Token,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { errorCodes, KnowledgeError } from '@knowledge/runtime';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { contributionTypes, publishedKindNames } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { ContentResponse } from '../api/content-response.js';
import { createDocuments } from '../documents/documents.js';
import { presentArticle, presentEntry, presentHighlight, presentObject, toWireKind } from '../present/article.js';
import { toWireType } from '../present/contribution.js';
import { presentSearch } from '../present/search.js';
import { createSites } from '../upstream/sites.js';
import { type AccessView, accessPage } from './consent/access-page.js';
import { confirmationPage } from './consent/confirmation-page.js';
import type { ConsentPage } from './consent/consent-layout.js';
import { consentErrorPage } from './consent/error-page.js';
import { linkSentPage } from './consent/link-page.js';
import { sentStatePage } from './consent/sent-actions.js';
import { resentPage, statePage } from './consent/state-page.js';
import { docsPage } from './docs/docs-page.js';
import { errorPage } from './error-page.js';
import { aboutPage, privacyPage } from './orientation/about-page.js';
import { guidePage } from './orientation/orientation.js';
import { page } from './parts/layout.js';
import { articlesPage, tagsPage } from './published/articles-page.js';
import { createFeed, createSitemap } from './published/feed.js';
import { indexPage } from './published/index-page.js';
import { objectPage, objectsPage } from './published/objects-page.js';
import { promptsPage } from './published/prompts-page.js';
import { type AskedSearch, type FoundSearch, searchPage } from './published/search-page.js';
import { articlePage } from './published/text-page.js';

/** Each character with a meaning in markup stands before the word, so that a leak shows as `<hostile`. */
const hostile = `x"hostile'hostile<hostile>hostile&hostile;</script><script>alert(1)</script>`;
const leak = /["'<&]hostile|<script>alert/g;

const sites = createSites({
  PUBLIC_URL_IO: 'https://example.org/io',
  PUBLIC_URL_ORG: 'https://example.org',
  DEFAULT_SITE: 'org',
  OPERATOR_NAME: hostile,
  OPERATOR_CONTACT: hostile,
  CONTENT_LICENSE: hostile,
});
const documents = createDocuments({ sites, pagesPerAddress: 120 });
const markdown = createMarkdownRenderer(1_000_000);
const at = new Date('2026-06-01T09:00:00Z');
const later = new Date('2027-06-05T09:00:00Z');

const article = filled(
  Article.fromPartial({
    entry: { site: Site.ORG, publishedAt: at, updatedAt: later, revision: 2, tags: [''] },
    body: '# A\n\n# B\n\n# C\n\n# D\n\n',
    related: [{}],
  }),
);
const beside = { newer: presentArticle(article, sites), older: presentArticle(article, sites) };
const listed = article.entry ? [presentEntry(article.entry, sites)] : [];
const highlights = listed.map((entry) => ({
  ...entry,
  ...presentHighlight({ entry: article.entry, position: 1, editorNote: hostile }, sites),
}));
const objects = publishedKindNames
  .map(toWireKind)
  .map((kind) =>
    filled(
      CommunityObject.fromPartial({ entry: { kind, site: Site.ORG, publishedAt: at, updatedAt: later }, prompt: {} }),
    ),
  );
const listedObjects = objects.map((object) => presentObject(object, sites));
const prompts = [PromptState.ACTIVE, PromptState.CLOSED].map((state) =>
  filled(Prompt.fromPartial({ site: Site.ORG, state, opensAt: at, closesAt: later })),
);
const contributions = Object.values(ContributionState).flatMap((state) =>
  typeof state === 'string' || state <= 0
    ? []
    : contributionTypes.map(toWireType).map((type) =>
        filled(
          Contribution.fromPartial({
            ...{ type, state, site: Site.ORG, submittedAt: at },
            history: [{ state: ContributionState.PENDING_REVIEW }, { state, occurredAt: at }],
          }),
        ),
      ),
);
const scopes = [Scope.WRITE_STORY];
const authorization = filled(Authorization.fromPartial({ site: Site.ORG, scopes, createdAt: at, decidedAt: later }));
const confirmation = filled(GetConfirmationResponse.fromPartial({ authorization, endedAt: at }));
const access: AccessView = {
  ...filled(
    GetAccessResponse.fromPartial({
      tokens: [Token.fromPartial({ scopes, expiresAt: new Date('2999-01-01') }), Token.fromPartial({ revokedAt: at })],
      authorizations: [{ ...authorization, state: AuthorizationState.PENDING }],
      unusedAuthorizations: [{ ...authorization, state: AuthorizationState.REVOKED }],
    }),
  ),
  ...{ key: hostile, sites, markdown, eachReceipt: true, done: {} },
  sent: { contributions, total: 99, nextPageToken: hostile },
};
const list = { site: 'org', q: '', tag: '', language: '', author: '', page: 1, cursor: '' } as const;
const start = { highlights, tags: [{ name: hostile, count: 1 }] };
const anyText = { kind: '', language: '', tag: '', author: '' };
const asked: AskedSearch = { ...anyText, home: 'org', site: 'org', q: hostile, cursor: hostile };
const found = { entries: listed, total: 1, hasMore: true, cursor: hostile };
const caller = { id: 'test', deadline: Date.now() + 60_000 };
const listings = {
  index: () => respond({ entries: listed, next_cursor: null }),
  catalog: () => respond({ entries: listedObjects, next_cursor: null }),
};

/** Every page with a hostile text in every field that comes from outside. */
const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  article: () => articlePage(article, beside, sites, markdown),
  index: () =>
    indexPage(
      'org',
      {
        highlights,
        articles: listed,
        ...{ community: listedObjects, knowledge: listedObjects },
        prompt: prompts[0],
        elsewhere: listed,
      },
      sites,
    ),
  'index without its parts': () =>
    indexPage(
      'io',
      {
        highlights: undefined,
        articles: undefined,
        ...{ community: undefined, knowledge: undefined },
        prompt: null,
        elsewhere: undefined,
      },
      sites,
    ),
  articles: () => articlesPage({ ...list, page: 2 }, found, sites),
  ...Object.fromEntries(
    (['q', 'tag', 'language', 'author', 'cursor'] as const).map((name) => [
      `articles by ${name}`,
      () => articlesPage({ ...list, [name]: hostile }, { ...found, hasMore: false }, sites),
    ]),
  ),
  'articles, none': () =>
    articlesPage({ ...list, q: hostile }, { ...found, entries: [], isElsewhere: true, hasMore: false }, sites),
  search: () => searchPage(asked, foundBySearch(false), start, sites),
  'search without a question': () => searchPage({ ...asked, q: '' }, undefined, start, sites),
  'search, weak hits': () => searchPage({ ...asked, site: 'all' }, foundBySearch(true), undefined, sites),
  ...Object.fromEntries(
    (['kind', 'language', 'tag', 'author'] as const).map((name) => [
      `search by ${name}`,
      () => searchPage({ ...asked, [name]: hostile }, foundBySearch(false), undefined, sites),
    ]),
  ),
  tags: () => tagsPage('org', facets(), sites),
  ...Object.fromEntries(
    objects.map((object) => [`object ${object.entry?.kind}`, () => objectPage(object, sites, markdown)]),
  ),
  objects: () =>
    objectsPage(
      { site: 'org', kind: 'story', cursor: hostile },
      { entries: listedObjects, total: 3, next_cursor: hostile, ok: true, site: 'org', limit: 20 } as never,
      sites,
    ),
  prompts: () =>
    promptsPage(
      {
        ...{ site: 'org', cursor: '', prompts: { prompts, cursor: hostile } },
        replies: listedObjects.filter(({ kind }) => kind === 'prompt_reply'),
      },
      sites,
    ),
  feed: async () => (await createFeed(listings, sites)('org', caller as never)).xml,
  sitemap: () => createSitemap(listings, sites)('org', undefined, caller as never),
  about: () => aboutPage(documents.service('org'), sites),
  privacy: () => privacyPage(documents.service('org'), sites),
  guide: () => guidePage(documents.get('guide', 'org').body.toString(), documents.service('org'), sites),
  docs: () => docsPage(documents.service('org'), () => ({ ok: true, name: hostile }), sites),
  ...Object.fromEntries(
    errorCodes.flatMap((code) => {
      const error = new KnowledgeError(code, hostile, { retryAfterSeconds: 60 });
      return [
        [`failure ${code}`, () => errorPage(error, hostile, 'org', sites)],
        [`consent failure ${code}`, () => whole(consentErrorPage(error, request(), sites.operator).page)],
      ];
    }),
  ),
  access: () => whole(accessPage(access)),
  'access, requests off': () => whole(accessPage({ ...access, requestsRefused: true, sent: undefined })),
  ...Object.fromEntries(
    contributions.map((changed) => [
      `access after ${changed.state} ${changed.type}`,
      () => whole(accessPage({ ...access, done: { changed } })) + whole(sentStatePage(changed, hostile)),
    ]),
  ),
  'access after an end': () =>
    whole(accessPage({ ...access, done: { ended: { id: hostile, stopped: 1, declined: 1, withdrawn: 2 } } })),
  'access after a choice': () => whole(accessPage({ ...access, done: { saved: true } })),
  'link sent': () => whole(linkSentPage(hostile)) + whole(resentPage(hostile)),
  ...Object.fromEntries(
    [undefined, 'missing', 'wrong'].flatMap((fault) =>
      [undefined, later].map((renewedUntil) => [
        `confirmation ${fault} ${renewedUntil}`,
        () => {
          const shown = { ...confirmation, renewedUntil, userCodeRequired: fault !== undefined };
          const typed = fault && { fault: fault as 'missing' | 'wrong', triesLeft: hostile };
          return whole(confirmationPage({ shown, code: hostile, host: hostile, typed: typed || undefined }));
        },
      ]),
    ),
  ),
  ...Object.fromEntries(states().map((view, number) => [`state ${number}`, () => whole(statePage(view))])),
};

it.each(Object.entries(pages))('escapes every text that comes from outside: %s', async (_name, render) => {
  const markup = await render();
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(markup);
  if (data?.[1] !== undefined) expect(JSON.parse(data[1])).toBeTypeOf('object');
  // Quotes between elements, as in Markdown, need no escaping.
  expect(
    markup
      .replace(data?.[0] ?? '', '')
      .replace(/(?<=>[^<]*)["'](?=[^<]*<)/g, '')
      .match(leak),
  ).toBeNull();
  if (markup.includes('hostile')) expect(markup).toContain('&lt;hostile');
});

/** Fills every text of a message that has none yet. */
function filled<Message>(message: Message): Message {
  if (typeof message === 'string') return (message.startsWith('#') ? message + hostile : message || hostile) as Message;
  if (Array.isArray(message)) return message.map(filled) as Message;
  if (typeof message !== 'object' || message === null || message instanceof Date) return message;
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, filled(value)])) as Message;
}

/** Requests in every state that a page can show. */
function states() {
  const flags = [false, true];
  return [
    AuthorizationState.DECLINED,
    AuthorizationState.REVOKED,
    AuthorizationState.EXPIRED,
    AuthorizationState.ISSUED,
  ]
    .flatMap((state) =>
      [undefined, later].map((date) => ({ ...confirmation, authorization: { ...authorization, state }, date })),
    )
    .flatMap((shown) => flags.map((justNow) => ({ shown, justNow })))
    .flatMap(({ shown: { date, ...shown }, justNow }) =>
      [
        { ...shown, newerAgentName: '', accessUntil: date, renewedUntil: date },
        { ...shown, accessUntil: date, requestsRefused: true },
        { ...shown, canResend: true },
        { ...shown, newerAgentName: '', authorization: { ...shown.authorization, decidedAt: undefined } },
      ].map((each) => ({ shown: each, code: hostile, accessUrl: hostile, justNow, withdrawn: 2 })),
    );
}

function facets() {
  const names = [{ name: hostile, count: 1 }];
  return { tags: names, languages: names, authors: names, isWhole: false };
}

/** A search that found one article and one object, with a hostile text in everything that content sends. */
function foundBySearch(weak: boolean): FoundSearch {
  const facts = { weak, matched: [{ fields: [SearchField.BODY], found: [''] }], snippet: {}, gloss: {} };
  const hits = [
    { ...facts, entry: article.entry && { $case: 'article' as const, value: article.entry } },
    ...objects.map(({ entry }) => ({
      ...facts,
      snippet: undefined,
      entry: entry && { $case: 'object', value: entry },
    })),
  ];
  const facets = ['kind', 'language', 'tag'].map((field) => ({ field, values: [{ count: 2 }, { count: 1 }] }));
  const response = filled(
    SearchResponse.fromPartial({ hits, facets, total: 4, otherSites: [{ site: Site.IO, total: 2 }] } as never),
  );
  const shown = presentSearch(response, { ...asked, limit: 10, isBrief: false }, sites) as unknown as FoundSearch;
  return { ...shown, elsewhere: shown.entries.map((entry) => ({ ...entry, site: 'io' as const })) };
}

function whole({ title, headTitle, body }: ConsentPage): string {
  return page(sites, { site: 'org', title: headTitle ?? title, isPrivate: true, main: body });
}

function request(): FastifyRequest {
  return { id: hostile } as FastifyRequest;
}

async function respond(document: object): Promise<ContentResponse> {
  return { body: Buffer.from(JSON.stringify(document)), etag: '', dependencies: [] };
}
