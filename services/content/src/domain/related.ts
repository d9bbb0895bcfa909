import type { ArticleName } from './article.js';

/** The facts of an article that may be related to another one. */
export interface RelatedCandidate {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly publishedAt: Date;
}

/**
 * Chooses at most three related articles: those with most shared tags, then the newest, then by slug. The candidates
 * are published articles of the same site. They may include the article itself and duplicates.
 */
export function chooseRelated(
  article: Pick<ArticleName, 'slug'> & { readonly tags: readonly string[] },
  candidates: Iterable<RelatedCandidate>,
): RelatedCandidate[] {
  const tags = new Set(article.tags);
  const shared = new Map<string, Ranked>();
  for (const candidate of candidates) {
    if (candidate.slug === article.slug || shared.has(candidate.slug)) continue;
    const common = candidate.tags.filter((tag) => tags.has(tag)).length;
    if (common > 0) shared.set(candidate.slug, { candidate, common });
  }
  return [...shared.values()]
    .sort(byRank)
    .slice(0, maxRelated)
    .map(({ candidate }) => candidate);
}

interface Ranked {
  readonly candidate: RelatedCandidate;
  readonly common: number;
}

const maxRelated = 3;

function byRank(a: Ranked, b: Ranked): number {
  return (
    b.common - a.common ||
    b.candidate.publishedAt.getTime() - a.candidate.publishedAt.getTime() ||
    (a.candidate.slug < b.candidate.slug ? -1 : 1)
  );
}
