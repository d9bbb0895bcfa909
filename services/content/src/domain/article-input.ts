import type { Site } from '@knowledge/runtime';
import { canonicalLanguage, withoutHiddenCharacters } from '@knowledge/runtime';
import {
  checkAuthor,
  checkBody,
  checkReason,
  checkShown,
  checkSite,
  checkTime,
  collectFaults,
  isSlug,
  isTag,
  type Sent,
} from './bounds.js';
import { languageBound } from './language.js';

/** An article as an editor puts it in. */
export interface ArticlePut {
  readonly site: Site;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly author: string;
  /** BCP 47; empty takes `en`. */
  readonly language: string;
  readonly body: string;
  /** When readers first saw it; undefined keeps it, or takes the time of the first publication. */
  readonly publishedAt: Date | undefined;
  readonly publish: boolean;
  /** 0 for do not check. */
  readonly expectedRevision: number;
  readonly reason: string;
}

/**
 * The put with its language in canonical form, and its body without hidden characters.
 *
 * @throws KnowledgeError `validation_error` naming every failing field.
 */
export function checkArticlePut(put: Sent<ArticlePut, 'site'>): ArticlePut {
  const faults = collectFaults();
  const site = checkSite(faults, put.site);
  if (!isSlug(put.slug)) faults.add('slug', 'must be 1 to 80 characters of a-z, 0-9 and single hyphens');
  checkShown(faults, 'title', put.title, { min: 1, max: 200 });
  checkShown(faults, 'summary', put.summary, { max: 500, lines: true });
  if (put.tags.length > maxTags) faults.add('tags', `must be at most ${maxTags}`);
  if (!put.tags.every(isTag)) faults.add('tags', 'must each be 1 to 40 characters of a-z, 0-9 and hyphens');
  if (new Set(put.tags).size < put.tags.length) faults.add('tags', 'must differ from each other');
  checkAuthor(faults, 'author', put.author);
  const language = put.language === '' ? defaultLanguage : canonicalLanguage(put.language);
  if (language === undefined) faults.add('language', languageBound);
  checkBody(faults, 'body', put.body);
  checkTime(faults, 'published_at', put.publishedAt);
  if (put.expectedRevision < 0) faults.add('expected_revision', 'must be 0 or more');
  checkReason(faults, put.reason);
  faults.throwIfAny();
  return { ...put, site, body: withoutHiddenCharacters(put.body), language: language ?? defaultLanguage };
}

const maxTags = 12;
const defaultLanguage = 'en';
