import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { dump } from 'js-yaml';
import { presentObject } from '../present/object.js';
import { requireField } from '../present/require-field.js';

/** Writes an object as a Markdown file that `object import` reads without loss. */
export function objectMarkdown({ entry, body }: Pick<CommunityObject, 'entry' | 'body'>): string {
  const { id, kind, site, title, summary, author, language, published_at } = presentObject(requireField(entry));
  const fields = { id, kind, site, title, summary, author, language, published_at };
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  return `---\n${dump(Object.fromEntries(present), { lineWidth: -1 })}---\n\n${body}\n`;
}
