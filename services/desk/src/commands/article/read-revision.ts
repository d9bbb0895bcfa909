import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { GetArticleRevisionResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { DeskError } from '../../desk-error.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';

/**
 * Reads one revision of an article that exists.
 *
 * @throws DeskError `not_found` that says where the revisions are listed.
 */
export async function readRevision(
  editorial: EditorialClient,
  session: Session,
  { site, slug, revision: present }: ArticleEntry,
  revision: number,
): Promise<GetArticleRevisionResponse & { entry: ArticleEntry }> {
  try {
    const found = await editorial.getArticleRevision({ site, slug, revision }, session.callContext());
    return { ...found, entry: requireField(found.entry) };
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    const which = `There is no revision ${revision} of ${slug}; it has ${present}.`;
    throw new DeskError('not_found', `${which} "knowledge article history ${slug}" lists them.`, { cause: error });
  }
}
