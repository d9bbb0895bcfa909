import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime/client';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { UsageError } from '../../desk-error.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import type { Caller } from '../caller.js';

/**
 * Finds an article by its slug: on the given site, or on the only site that has the slug.
 *
 * @throws UsageError if both sites have it; KnowledgeError `not_found` if none has.
 */
export async function findArticle(
  editorial: EditorialClient,
  caller: Caller,
  slug: string,
  site: string | undefined,
): Promise<ArticleRecord> {
  const wanted = site === undefined ? [Site.IO, Site.ORG] : [sites.toWire(site)];
  const found = (await Promise.all(wanted.map((each) => read(editorial, caller, slug, each)))).flat();
  if (found.length > 1) throw new UsageError(`Both sites have an article ${slug}; say which one with --site.`);
  const [record] = found;
  if (record === undefined) {
    throw new KnowledgeError('not_found', `There is no article ${slug}${site === undefined ? '' : ` on ${site}`}.`);
  }
  return record;
}

async function read(editorial: EditorialClient, caller: Caller, slug: string, site: Site): Promise<ArticleRecord[]> {
  try {
    return [requireField((await editorial.getArticleRecord({ site, slug }, caller.callContext())).article)];
  } catch (error) {
    if (hasCode(error, 'not_found')) return [];
    throw error;
  }
}
