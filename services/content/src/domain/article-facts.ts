import type { Site } from '@knowledge/runtime';
import { canonicalLanguage, languageBound } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import {
  checkAuthor,
  checkBody,
  checkMarkdown,
  checkShown,
  checkTime,
  type Faults,
  isSlug,
  isTag,
  tagBound,
} from './bounds.js';

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
  language: (faults, language) => {
    if (language !== '' && canonicalLanguage(language) === undefined) faults.add('language', languageBound);
  },
  body: (faults, body) => {
    checkBody(faults, 'body', body);
    checkMarkdown(faults, 'body', body);
  },
  publishedAt: (faults, publishedAt) => checkTime(faults, 'published_at', publishedAt),
};

type FactChecks = { readonly [Fact in keyof ArticleFacts]: (faults: Faults, sent: ArticleFacts[Fact]) => void };

const maxTags = 12;
