import {
  ObjectKind,
  type CommunityObject as WireObject,
  type ObjectEntry as WireObjectEntry,
} from '@knowledge/proto/knowledge/content/v1/content';
import { enumWords, toWireSite } from '@knowledge/runtime/wire';
import type { ObjectEntry, PublishedObject } from './domain.js';

const kinds = enumWords('kind', ObjectKind);
export const { optional: optionalKind, require: requireKind } = kinds;

export function toWireObjectEntry(entry: ObjectEntry): WireObjectEntry {
  return { ...entry, editedAt: entry.editedAt, kind: kinds.toWire(entry.kind), site: toWireSite(entry.site) };
}

export function toWireObject(object: PublishedObject): WireObject {
  const { body, prompt } = object;
  return { entry: toWireObjectEntry(object), body, prompt: prompt && { id: prompt.id, question: prompt.question } };
}
