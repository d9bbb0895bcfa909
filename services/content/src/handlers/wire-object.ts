import type {
  ObjectEntry as WireEntry,
  CommunityObject as WireObject,
} from '@knowledge/proto/knowledge/content/v1/content';
import { toWireSite } from '@knowledge/runtime/wire';
import type { ObjectEntry, PublishedObject } from '../domain/community-object.js';
import { toWireKind } from './wire-enums.js';

export function toWireObjectEntry(entry: ObjectEntry): WireEntry {
  const { id, title, summary, author, language, publishedAt, updatedAt, editedAt, readingTokens } = entry;
  const enums = { kind: toWireKind(entry.kind), site: toWireSite(entry.site) };
  return { id, title, summary, author, language, publishedAt, updatedAt, editedAt, readingTokens, ...enums };
}

export function toWireObject(object: PublishedObject): WireObject {
  const { body, prompt } = object;
  return { entry: toWireObjectEntry(object), body, prompt: prompt && { id: prompt.id, question: prompt.question } };
}
