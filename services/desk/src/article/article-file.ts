import type { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { FieldReader } from '../import/fields.js';
import { type MarkdownDocument, readFrontMatter } from '../import/front-matter.js';
import { sites } from '../words.js';
import { readArticleFields } from './article-fields.js';

/** The options of an import that apply to every article. */
export interface ArticleImport {
  readonly site: string | undefined;
  readonly publish: boolean;
  /** Whether to ignore the revision in the file. */
  readonly overwrite: boolean;
  readonly reason: string;
}

/**
 * Reads an article from a file. The service checks the lengths of the fields, and also names every wrong field.
 *
 * @throws FileProblem if a field is missing or has the wrong type.
 */
export function readArticle(document: MarkdownDocument, { site, publish, overwrite, reason }: ArticleImport) {
  const { article, revision, draftRevision, unknown: others } = readDocument(document, site);
  // An import writes the article itself, so the number of a draft says nothing there.
  const unknown = [...others, ...(draftRevision > 0 ? ['draft_revision'] : [])];
  const request: PutArticleRequest = { ...article, publish, expectedRevision: overwrite ? 0 : revision, reason };
  return { request, key: `${sites.fromWire(request.site)}/${request.slug}`, unknown };
}

/** Reads the file of a draft: an article, the revision on which it is based, and the draft's own revision. */
export function readArticleFile(bytes: Uint8Array, site: string | undefined) {
  return readDocument(readFrontMatter(bytes), site);
}

function readDocument({ fields, body }: MarkdownDocument, site: string | undefined) {
  const reader = new FieldReader(fields);
  const revision = reader.count('revision');
  const draftRevision = reader.count('draft_revision');
  const article = { ...readArticleFields(reader, site), body };
  if (body.trim() === '') reader.faults.push('body: is empty');
  reader.finish();
  return { article, revision, draftRevision, unknown: reader.unknown() };
}
