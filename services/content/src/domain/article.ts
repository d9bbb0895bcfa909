import { canonicalLanguage, KnowledgeError, type Site, type Transition } from '@knowledge/runtime';
import { withoutHidden } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';
import {
  checkAuthor,
  checkBody,
  checkLanguage,
  checkMarkdown,
  checkReason,
  checkShown,
  checkSite,
  checkTime,
  collectFaults,
  type Faults,
  isSlug,
  isTag,
  tagBound,
  type Unchecked,
} from './bounds.js';

/** The state of an article. A `scheduled` article will be published at a time in the future. */
export type ArticleState = 'draft' | 'scheduled' | 'published' | 'archived';

export const articleStates: readonly ArticleState[] = ['draft', 'scheduled', 'published', 'archived'];

/** The site and slug that identify an article. */
export type ArticleName = Pick<ArticleFacts, 'site' | 'slug'>;

/** One article in a listing for readers. */
export interface ArticleEntry extends Omit<ArticleFacts, 'body'> {
  /**
   * The time of the last change to a field or the state. So `updated_since` also finds articles that were published
   * later.
   */
  readonly updatedAt: Date;
  readonly wordCount: number;
  /** About how many tokens a language model needs to read the body. */
  readonly readingTokens: number;
  readonly revision: number;
}

/** One article in a listing for editors. */
export interface ArticleRecord extends ArticleEntry {
  readonly state: ArticleState;
  readonly createdAt: Date;
}

/** An article with its body. */
export interface Article extends ArticleRecord, ArticleFacts {}

/** The outcome of a change: the article is unchanged or has a new revision. */
export type ArticleOutcome =
  | { readonly outcome: 'unchanged'; readonly article: Article }
  | {
      readonly outcome: 'created' | 'updated';
      readonly before: Article | undefined;
      readonly article: Article;
      readonly transition: Transition;
      /** The revision whose text this change put back, if it did. */
      readonly restoredRevision?: number;
    };

/** The outcome of a deletion, with the facts that the change log stores about the article. */
export interface Removal {
  readonly outcome: 'deleted';
  readonly tags: readonly string[];
  readonly transition: Transition;
}

/** The fields that editors set. Add a new field here first; the compiler then shows the other places. */
export interface ArticleFacts {
  readonly site: Site;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly author: string;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly body: string;
  /** The time of the first publication; undefined for a draft without such a time. */
  readonly publishedAt: Date | undefined;
}

/** Checks each field that an editor sends. Faults are reported in this order. */
export const factChecks: FactChecks = {
  site: () => undefined,
  slug: (faults, slug) => {
    if (!isSlug(slug))
      faults.add('slug', `must be ${bounds.slug.min} to ${bounds.slug.max} characters of a-z, 0-9 and single hyphens`);
  },
  title: (faults, title) => checkShown(faults, 'title', title, bounds.articleTitle),
  summary: (faults, summary) => checkShown(faults, 'summary', summary, { ...bounds.summary, lines: true }),
  tags: (faults, tags) => {
    if (tags.length > maxTags) faults.add('tags', `must be at most ${maxTags}`);
    if (!tags.every(isTag)) faults.add('tags', `must each be ${tagBound}`);
    if (new Set(tags).size < tags.length) faults.add('tags', 'must differ from each other');
  },
  author: (faults, author) => checkAuthor(faults, 'author', author),
  language: checkLanguage,
  body: (faults, body) => {
    checkBody(faults, 'body', body);
    checkMarkdown(faults, 'body', body);
  },
  publishedAt: (faults, publishedAt) => checkTime(faults, 'published_at', publishedAt),
};

type FactChecks = { readonly [Fact in keyof ArticleFacts]: (faults: Faults, sent: ArticleFacts[Fact]) => void };

const maxTags = 12;

/**
 * The fields that an editor sends for an article. An empty language means `en`. Without a time of publication the
 * stored time is kept.
 */
export interface ArticlePut extends ArticleFacts {
  readonly publish: boolean;
  /** The revision that the editor expects; 0 disables the check. */
  readonly expectedRevision: number;
  readonly reason: string;
}

/**
 * Checks a put. Returns it with its language in canonical form and its body without hidden characters.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkArticlePut({
  publish,
  expectedRevision,
  reason,
  ...sent
}: Unchecked<ArticlePut, 'site'>): ArticlePut {
  const faults = collectFaults();
  const facts = pickFacts({ ...sent, site: checkSite(faults, sent.site) });
  for (const name of factNames) checkFact(name);
  if (expectedRevision < 0) faults.add('expected_revision', 'must be 0 or more');
  checkReason(faults, reason);
  faults.throwIfAny();
  const language = canonicalLanguage(facts.language) ?? defaultLanguage;
  return { ...facts, body: withoutHidden(facts.body), language, publish, expectedRevision, reason };

  function checkFact<Fact extends keyof ArticleFacts>(name: Fact) {
    factChecks[name](faults, facts[name]);
  }
}

const factNames = Object.keys(factChecks) as (keyof ArticleFacts)[];

/** Picks the fields that editors set. Other fields of a request or of a draft are not stored in the article. */
export function pickFacts(sent: ArticleFacts): ArticleFacts {
  return Object.fromEntries(factNames.map((name) => [name, sent[name]])) as unknown as ArticleFacts;
}

const defaultLanguage = 'en';

/** The error for an article that does not exist. */
export function unknownArticle(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no such article.');
}
