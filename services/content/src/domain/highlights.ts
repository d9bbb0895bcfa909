import type { Site } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { ArticleEntry } from './article.js';
import { checkShown, collectFaults, isSlug } from './bounds.js';

/** An article that the editors chose as a highlight. */
export interface HighlightChoice {
  readonly slug: string;
  /** The editors' reason for the choice; may be empty. */
  readonly note: string;
}

/** The stored highlights of a site. */
export interface HighlightList {
  readonly site: Site;
  readonly choices: readonly HighlightChoice[];
  /** The revision of the list; 0 before the first change. */
  readonly revision: number;
}

/** A choice, together with the published article. */
export interface Highlight {
  readonly entry: ArticleEntry;
  readonly note: string;
}

/** @throws KnowledgeError `validation_error` with every fault that is visible without reading the articles. */
export function checkHighlights(choices: readonly HighlightChoice[]): void {
  const faults = collectFaults();
  if (choices.length > maxHighlights) faults.add('highlights', `must be at most ${maxHighlights}`);
  const seen = new Set<string>();
  for (const [index, { slug, note }] of choices.slice(0, maxHighlights).entries()) {
    const field = `highlights[${index}]`;
    if (!isSlug(slug)) faults.add(`${field}.slug`, 'must be the slug of a published article');
    else if (seen.has(slug)) faults.add(`${field}.slug`, `names ${slug} again`);
    seen.add(slug);
    checkShown(faults, `${field}.editor_note`, note, { ...bounds.summary, lines: true });
  }
  faults.throwIfAny();
}

/** Joins the choices with their articles in the same order. Articles that are not published are left out. */
export function joinHighlights(
  choices: readonly HighlightChoice[],
  published: ReadonlyMap<string, ArticleEntry>,
): Highlight[] {
  return choices.flatMap(({ slug, note }) => {
    const entry = published.get(slug);
    return entry === undefined ? [] : [{ entry, note }];
  });
}

/** @throws KnowledgeError `validation_error` with the choices that are not published articles of the site. */
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

/** Whether two lists have the same choices in the same order. */
export function sameChoices(a: readonly HighlightChoice[], b: readonly HighlightChoice[]): boolean {
  return (
    a.length === b.length && a.every(({ slug, note }, index) => slug === b[index]?.slug && note === b[index]?.note)
  );
}

const maxHighlights = 50;
