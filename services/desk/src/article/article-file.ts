import type { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { FieldReader } from '../import/fields.js';
import type { MarkdownDocument } from '../import/front-matter.js';
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
export function readArticle({ fields, body }: MarkdownDocument, { site, publish, overwrite, reason }: ArticleImport) {
  const reader = new FieldReader(fields);
  const revision = reader.count('revision');
  const request: PutArticleRequest = {
    ...readArticleFields(reader, site),
    body,
    publish,
    expectedRevision: overwrite ? 0 : revision,
    reason,
  };
  if (body.trim() === '') reader.faults.push('body: is empty');
  reader.finish();
  return { request, key: `${sites.fromWire(request.site)}/${request.slug}`, unknown: reader.unknown() };
}
