import { refuseFaults, type Site, shownFault } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { ArticleEntry } from '../articles/domain.js';
import { isSlug } from '../base/bounds.js';

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
  const slugs = choices.map(({ slug }) => slug);
  refuseFaults([
    choices.length > maxHighlights && `highlights must be at most ${maxHighlights}`,
    ...choices
      .slice(0, maxHighlights)
      .flatMap(({ slug, note }, at) => [
        isSlug(slug)
          ? slugs.indexOf(slug) < at && `highlights[${at}].slug names ${slug} again`
          : `highlights[${at}].slug must be the slug of a published article`,
        shownFault(`highlights[${at}].editor_note`, note, bounds.summary),
      ]),
  ]);
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
  refuseFaults(
    choices.map(
      ({ slug }, at) => !published.has(slug) && `highlights[${at}].slug ${slug} is not a published article of the site`,
    ),
  );
}

/** Whether two lists have the same choices in the same order. */
export function sameChoices(a: readonly HighlightChoice[], b: readonly HighlightChoice[]): boolean {
  return (
    a.length === b.length && a.every(({ slug, note }, index) => slug === b[index]?.slug && note === b[index]?.note)
  );
}

const maxHighlights = 50;
