import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import type { PutObjectRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { requireField } from '../base/words.js';
import { FieldReader } from '../files/fields.js';
import { foreignSyntax } from '../files/foreign-syntax.js';
import { type MarkdownDocument, writeFrontMatter } from '../files/front-matter.js';
import { objectKinds, presentObject } from './present.js';

/** The options of an import that apply to every object. */
interface ObjectImport {
  readonly site: string | undefined;
  readonly reason: string;
}

/**
 * Reads a community object from a file. The default kind is `knowledge`.
 *
 * @throws FileProblem if a field is missing or has the wrong type.
 */
export function readObject({ fields, body, before }: MarkdownDocument, { site, reason }: ObjectImport) {
  const reader = new FieldReader(fields);
  const request: PutObjectRequest = {
    id: reader.text('id', { required: true }).toLowerCase(),
    kind: objectKinds.toWire(reader.choice('kind', objectKinds.words, 'knowledge')),
    site: reader.site(site),
    title: reader.text('title', { required: true }),
    summary: reader.text('summary'),
    author: reader.text('author'),
    language: reader.text('language'),
    publishedAt: reader.time('published_at'),
    body,
    reason,
  };
  if (body.trim() === '') reader.faults.push('body: is empty');
  reader.finish();
  const unknown = reader.unknown();
  const ignored = unknown.length > 0 ? [`ignored: ${unknown.join(', ')}`] : [];
  return { request, key: request.id, notes: [...ignored, ...foreignSyntax(body, before)] };
}

/** Writes an object as a Markdown file that `object import` reads without loss. */
export function objectMarkdown({ entry, body }: Pick<CommunityObject, 'entry' | 'body'>): string {
  const { id, kind, site, title, summary, author, language, published_at } = presentObject(requireField(entry));
  return writeFrontMatter({ id, kind, site, title, summary, author, language, published_at }, body);
}
