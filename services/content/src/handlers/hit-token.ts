import { decodePageToken, encodePageToken, type PageScope } from '@knowledge/runtime';
import type { HitPosition } from '../search/rank-texts.js';
import type { TextKey } from '../search/texts/search-text.js';

/**
 * Reads the token of a list page of hits; undefined for the first list page.
 *
 * @throws KnowledgeError `validation_error` as `decodePageToken`.
 */
export function readHitPosition(token: string, scope: PageScope): HitPosition | undefined {
  const key = decodePageToken(token, scope, ['number', 'string']);
  return key && { place: key[0], key: key[1] as TextKey };
}

/** Writes the token of the next list page of hits; empty at the end. */
export function hitToken(next: HitPosition | undefined, scope: PageScope): string {
  return next === undefined ? '' : encodePageToken(scope, [next.place, next.key]);
}
