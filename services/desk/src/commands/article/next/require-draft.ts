import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { type ArticleRecord, EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { ArticleDraftClient } from '../../../actions/article/draft-client.js';
import { findArticle } from '../../../actions/article/find-article.js';
import { type NextRevision, readDraft } from '../../../actions/article/read-draft.js';
import { DeskError } from '../../../desk-error.js';
import { requireField } from '../../../present/require-field.js';
import type { Session } from '../../../session.js';

/** An article with the draft of its next revision, and the client for it. */
interface FoundDraft {
  readonly drafts: ArticleDraftClient;
  readonly article: ArticleRecord & { readonly entry: ArticleEntry };
  readonly draft: NextRevision;
}

/**
 * Finds an article by its slug, with the draft of its next revision.
 *
 * @throws DeskError `not_found` that says how to make one.
 */
export async function requireDraft(session: Session, slug: string, site: string | undefined): Promise<FoundDraft> {
  const drafts = session.connect('content', ArticleDraftServiceService);
  const editorial = session.connect('content', EditorialServiceService);
  const record = await findArticle(editorial, session, slug, site);
  const article = { ...record, entry: requireField(record.entry) };
  const draft = await readDraft(drafts, session, article.entry);
  if (draft === undefined) {
    const how = '"knowledge article next put FILE" makes one, from a file of "knowledge article export".';
    throw new DeskError('not_found', `There is no draft of the next revision of ${slug}. ${how}`);
  }
  return { drafts, article, draft };
}
