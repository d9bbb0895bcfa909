import type { CollectionQuery } from './collection.js';
import type { Kind, Query, QuerySet } from './queries.js';

/** A found text. `weak` is the service's own mark for a hit that fits badly. */
export interface Hit {
  readonly document: string;
  readonly weak: boolean;
}

/** A query with what the search found for it, best first. */
export interface Outcome {
  readonly query: Query;
  readonly hits: readonly Hit[];
}

/** What a search found for a query with grades. */
export interface GradedHits {
  readonly query: Pick<CollectionQuery, 'grades'>;
  readonly hits: readonly Hit[];
}

/** Means over some queries, each from 0 to 1; undefined where no query of the selection counts. */
export interface Figures {
  readonly queries: number;
  /** The first three, over queries that have an answer. */
  readonly ndcg: number | undefined;
  readonly success: number | undefined;
  readonly noHits: number | undefined;
  /** The share of helpful hits among the first ten that are marked as weak. */
  readonly helpfulWeak: number | undefined;
  /** The share of queries with an answer whose first ten hits are all marked as weak. */
  readonly allWeak: number | undefined;
  /** The next two, over negative queries. */
  readonly weak: number | undefined;
  /** The share with a hit among the first ten that is not marked as weak. */
  readonly confident: number | undefined;
}

export type Measure = Exclude<keyof Figures, 'queries'>;

/** A bound for one figure. `most` is for those where less is better. */
export interface Floor {
  readonly kind: Kind | 'all';
  readonly set: QuerySet;
  readonly measure: Measure;
  readonly least?: number;
  readonly most?: number;
}

const depth = 10;
const glance = 3;

/** How good the order of the first ten hits is: 1 is the best order that the grades allow. */
export function ndcg({ query, hits }: GradedHits): number {
  const ideal = Object.values(query.grades).sort((one, other) => other - one);
  const found = hits.map(({ document }) => gradeOf(query, document));
  return discountedGain(found) / discountedGain(ideal);
}

/** Whether one of the first three hits helps much. */
export function succeeds({ query, hits }: Outcome): boolean {
  return hits.slice(0, glance).some(({ document }) => gradeOf(query, document) >= 2);
}

/** Whether the search admits that it knows nothing: no hit, or the first three all marked. */
export function admitsNothing({ hits }: Outcome): boolean {
  return hits.slice(0, glance).every(({ weak }) => weak);
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const negative = outcomes.filter(({ query }) => query.kind.endsWith('negative'));
  const answerable = outcomes.filter(({ query }) => !query.kind.endsWith('negative'));
  return {
    queries: outcomes.length,
    ndcg: mean(answerable.map(ndcg)),
    success: mean(answerable.map((outcome) => Number(succeeds(outcome)))),
    noHits: mean(answerable.map(({ hits }) => Number(hits.length === 0))),
    helpfulWeak: mean(
      answerable.flatMap(({ query, hits }) =>
        hits.slice(0, depth).flatMap(({ document, weak }) => (gradeOf(query, document) >= 2 ? [Number(weak)] : [])),
      ),
    ),
    allWeak: mean(
      answerable.map(({ hits }) => Number(hits.length > 0 && hits.slice(0, depth).every(({ weak }) => weak))),
    ),
    weak: mean(negative.map((outcome) => Number(admitsNothing(outcome)))),
    confident: mean(negative.map(({ hits }) => Number(hits.slice(0, depth).some(({ weak }) => !weak)))),
  };
}

/** The outcomes of one kind (or all kinds) in one set. */
export function select(outcomes: readonly Outcome[], kind: Kind | 'all', set: QuerySet): readonly Outcome[] {
  return outcomes.filter(({ query }) => query.set === set && (kind === 'all' || query.kind === kind));
}

/** One line for each figure that misses its bound. */
export function missedFloors(outcomes: readonly Outcome[], floors: readonly Floor[]): string[] {
  return floors.flatMap(({ kind, set, measure, least = 0, most = 1 }) => {
    const figure = figuresOf(select(outcomes, kind, set))[measure];
    const name = `${measure} of ${kind} queries in ${set}`;
    if (figure === undefined) return [`${name}: no query counts`];
    if (figure < least) return [`${name}: ${figure.toFixed(3)} is below ${least}`];
    if (figure > most) return [`${name}: ${figure.toFixed(3)} is above ${most}`];
    return [];
  });
}

/** Which share of the helpful texts is among the first ten hits; of at most ten. */
export function recall({ query, hits }: GradedHits): number {
  const found = hits.slice(0, depth).filter(({ document }) => gradeOf(query, document) > 0);
  return found.length / Math.min(depth, Object.keys(query.grades).length);
}

function gradeOf(query: Pick<CollectionQuery, 'grades'>, document: string): number {
  return Object.hasOwn(query.grades, document) ? (query.grades[document] ?? 0) : 0;
}

function discountedGain(grades: readonly number[]): number {
  return grades.slice(0, depth).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
