import { canonicalLanguage } from '@knowledge/runtime';
import { withoutHidden } from '@knowledge/runtime/markdown';
import { type ArticleFacts, factChecks } from './article-facts.js';
import { checkReason, checkSite, collectFaults, type Unchecked } from './bounds.js';

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

  function checkFact<Fact extends keyof ArticleFacts>(name: Fact): void {
    factChecks[name](faults, facts[name]);
  }
}

const factNames = Object.keys(factChecks) as (keyof ArticleFacts)[];

/** Picks the fields that editors set. Other fields of a request or of a draft are not stored in the article. */
export function pickFacts(sent: ArticleFacts): ArticleFacts {
  return Object.fromEntries(factNames.map((name) => [name, sent[name]])) as unknown as ArticleFacts;
}

const defaultLanguage = 'en';
