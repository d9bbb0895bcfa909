import type { Site } from '@knowledge/runtime';
import type { ArticleEntry } from './article.js';
import { checkShown, collectFaults, isSlug } from './bounds.js';

/** One choice of the editors. */
export interface HighlightChoice {
  readonly slug: string;
  /** Why; may be empty. */
  readonly note: string;
}

/** The editors' choice for a site, as it is stored. */
export interface HighlightList {
  readonly site: Site;
  readonly choices: readonly HighlightChoice[];
  /** 0 if none was ever set. */
  readonly revision: number;
}

/** A choice with the published article that it names. */
export interface Highlight {
  readonly entry: ArticleEntry;
  readonly note: string;
}

/** @throws KnowledgeError `validation_error` with every fault that can be found without reading the articles. */
export function checkHighlights(choices: readonly HighlightChoice[]): void {
  const faults = collectFaults();
  if (choices.length > maxHighlights) faults.add('highlights', `must be at most ${maxHighlights}`);
  const seen = new Set<string>();
  for (const [index, { slug, note }] of choices.slice(0, maxHighlights).entries()) {
    const field = `highlights[${index}]`;
    if (!isSlug(slug)) faults.add(`${field}.slug`, 'must be the slug of a published article');
    else if (seen.has(slug)) faults.add(`${field}.slug`, `names ${slug} again`);
    seen.add(slug);
    checkShown(faults, `${field}.editor_note`, note, { max: 500, lines: true });
  }
  faults.throwIfAny();
}

/**
 * Joins choices with their articles, in order, and leaves out those that are not published.
 */
export function joinHighlights(
  choices: readonly HighlightChoice[],
  published: ReadonlyMap<string, ArticleEntry>,
): Highlight[] {
  return choices.flatMap(({ slug, note }) => {
    const entry = published.get(slug);
    return entry === undefined ? [] : [{ entry, note }];
  });
}

/** @throws KnowledgeError `validation_error` naming the choices that are not published articles of the site. */
export function requirePublished(
  choices: readonly HighlightChoice[],
  published: ReadonlyMap<string, ArticleEntry>,
): void {
  const faults = collectFaults();
  for (const [index, { slug }] of choices.entries()) {
    if (!published.has(slug)) faults.add(`highlights[${index}].slug`, `${slug} is not a published article of the site`);
  }
  faults.throwIfAny();
}

/** Whether two lists show the same. */
export function sameChoices(a: readonly HighlightChoice[], b: readonly HighlightChoice[]): boolean {
  return (
    a.length === b.length && a.every(({ slug, note }, index) => slug === b[index]?.slug && note === b[index]?.note)
  );
}

const maxHighlights = 50;
