import type {
  ObjectEntry as WireEntry,
  CommunityObject as WireObject,
} from '@knowledge/proto/knowledge/content/v1/content';
import type { ObjectEntry, PublishedObject } from '../domain/community-object.js';
import { presentKind, presentSite } from './wire-enums.js';

export function presentObjectEntry(entry: ObjectEntry): WireEntry {
  const { id, kind, title, summary, site, author, language, publishedAt, updatedAt } = entry;
  const shown = { title, summary, site: presentSite(site), author, language, publishedAt, updatedAt };
  return { id, kind: presentKind(kind), ...shown };
}

export function presentObject(object: PublishedObject): WireObject {
  const { body, prompt } = object;
  return { entry: presentObjectEntry(object), body, prompt: prompt && { id: prompt.id, question: prompt.question } };
}
