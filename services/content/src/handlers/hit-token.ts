import { decodePageToken, encodePageToken, type PageScope } from '@knowledge/runtime';
import type { TextKey } from '../search/index/search-text.js';
import type { HitPosition } from '../search/search.js';

/**
 * Reads the token of a list page of hits; undefined for the first list page.
 *
 * @throws KnowledgeError `validation_error` as `decodePageToken`.
 */
export function readHitPosition(token: string, scope: PageScope): HitPosition | undefined {
  const key = decodePageToken(token, scope, ['number', 'string']);
  return key && { score: Math.abs(key[0]), weak: key[0] < 0, key: key[1] as TextKey };
}

/** Writes the token of the next list page of hits; empty at the end. The score of a weak hit is negative there. */
export function hitToken(next: HitPosition | undefined, scope: PageScope): string {
  return next === undefined ? '' : encodePageToken(scope, [next.weak ? -next.score : next.score, next.key]);
}
