import {
  canonicalLanguage,
  type Fault,
  KnowledgeError,
  refuseFaults,
  type Site,
  shownFault,
  type Transition,
} from '@knowledge/runtime';
import { withoutHidden } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';
import {
  authorFault,
  isSlug,
  isTag,
  languageFault,
  markdownBodyFault,
  reasonFault,
  siteFault,
  tagBound,
  timeFault,
  titleFault,
  type Unchecked,
} from '../base/bounds.js';

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

/** The fault of each field that an editor sends. Faults are reported in this order. */
export const factFaults: { readonly [Fact in keyof ArticleFacts]: (sent: ArticleFacts[Fact]) => Fault } = {
  site: () => undefined,
  slug: (slug) =>
    !isSlug(slug) && `slug must be ${bounds.slug.min} to ${bounds.slug.max} characters of a-z, 0-9 and single hyphens`,
  title: (title) => titleFault('title', title, bounds.articleTitle),
  summary: (summary) => shownFault('summary', summary, bounds.summary),
  tags: (tags) => {
    if (tags.length > bounds.tags) return `tags must be at most ${bounds.tags}`;
    if (!tags.every(isTag)) return `tags must each be ${tagBound}`;
    return new Set(tags).size < tags.length && 'tags must differ from each other';
  },
  author: authorFault,
  language: languageFault,
  body: markdownBodyFault,
  publishedAt: (publishedAt) => timeFault('published_at', publishedAt),
};

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
  // Without a site nothing is stored.
  const facts = pickFacts({ ...sent, site: sent.site ?? 'org' });
  const faultOf = <Fact extends keyof ArticleFacts>(name: Fact) => factFaults[name](facts[name]);
  refuseFaults([
    siteFault(sent.site),
    ...factNames.map((name) => faultOf(name)),
    expectedRevision < 0 && 'expected_revision must be 0 or more',
    reasonFault(reason),
  ]);
  const language = canonicalLanguage(facts.language) ?? defaultLanguage;
  return { ...facts, body: withoutHidden(facts.body), language, publish, expectedRevision, reason };
}

const factNames = Object.keys(factFaults) as (keyof ArticleFacts)[];

/** Picks the fields that editors set. Other fields of a request or of a draft are not stored in the article. */
export function pickFacts(sent: ArticleFacts): ArticleFacts {
  return Object.fromEntries(factNames.map((name) => [name, sent[name]])) as unknown as ArticleFacts;
}

const defaultLanguage = 'en';

/** The error for an article that does not exist. */
export function unknownArticle(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no such article.');
}
