import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { hasCode, KnowledgeError } from '@knowledge/runtime/client';
import type { Caller } from '../actions/caller.js';
import type { EditorialClient } from '../connection/editorial-client.js';
import { requireField } from '../present/require-field.js';
import { sites } from '../words.js';
import { articleMarkdown } from './article-markdown.js';

/** The file of one article, as the import reads it. */
export interface ExportedArticle {
  /** Site and slug, such as `org/rolling-out-sso.md`. */
  readonly path: string;
  readonly markdown: string;
}

/** Reads an article for an export; undefined if somebody deleted it after the list was read. */
export async function exportArticle(
  editorial: EditorialClient,
  caller: Caller,
  { site, slug }: { readonly site: Site; readonly slug: string },
): Promise<ExportedArticle | undefined> {
  // The slug comes from the service. Check it, so that a file name never leaves the directory.
  if (!/^[a-z0-9-]{1,80}$/.test(slug)) {
    throw new KnowledgeError('internal_error', `The slug ${slug} cannot name a file.`);
  }
  try {
    const { article } = await editorial.getArticleRecord({ site, slug }, caller.callContext());
    return { path: `${sites.fromWire(site)}/${slug}.md`, markdown: articleMarkdown(requireField(article)) };
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}
