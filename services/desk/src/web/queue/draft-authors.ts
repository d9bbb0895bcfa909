import type { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/grpc';
import { readDraft } from '../../actions/articles.js';
import type { ContributionView } from '../../present/contribution.js';
import { sites } from '../../words.js';

/** Who wrote the draft of the article that a correction is about; empty without one. */
export async function draftAuthors(
  drafts: GrpcClient<typeof ArticleDraftServiceService>,
  { purpose, about }: ContributionView,
  call: CallOptions & { actor: string },
): Promise<readonly string[]> {
  if (purpose !== 'correction' || about === null || about.slug === null) return [];
  const name = { site: sites.toWire(about.site), slug: about.slug };
  // The item can be decided without this line, so a failure of content must not hide the item.
  const draft = await readDraft(drafts, { callContext: () => call }, name).catch(() => undefined);
  return draft?.notice.authors ?? [];
}
