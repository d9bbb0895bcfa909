import type { NewChange } from '../../domain/change.js';
import { articleKey, objectKey, type TextKey } from '../texts/search-text.js';

/** The text that a change is about; undefined for other changes. */
export function keyOfChange({ subject, site, key }: NewChange): TextKey | undefined {
  if (subject === 'article') return articleKey({ site, slug: key });
  return subject === 'object' ? objectKey(key) : undefined;
}
