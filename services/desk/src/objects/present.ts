import { type ObjectEntry, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { presented } from '../base/presented.js';
import { enumWords, sites } from '../base/words.js';

export const objectKinds = enumWords(ObjectKind);

/** An object in a list. It has no body. */
export type ObjectView = ReturnType<typeof presentObject>;

export function presentObject(entry: ObjectEntry) {
  return {
    ...presented(entry),
    kind: objectKinds.fromWire(entry.kind),
    site: sites.fromWire(entry.site),
    state: 'published' as const,
    author: entry.author || null,
    language: entry.language || null,
  };
}
