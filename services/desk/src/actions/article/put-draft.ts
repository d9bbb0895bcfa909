import type {
  PutArticleDraftRequest,
  PutArticleDraftResponse,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime/client';
import type { Caller } from '../caller.js';
import type { ArticleDraftClient } from './draft-client.js';
import { toNextRevision } from './read-draft.js';

/**
 * Puts a draft. A text that was written without knowing a draft must not overwrite one.
 *
 * @throws KnowledgeError `invalid_state` that says who wrote the other draft.
 */
export async function putDraft(
  drafts: ArticleDraftClient,
  caller: Caller,
  request: PutArticleDraftRequest,
): Promise<PutArticleDraftResponse> {
  if (request.expectedRevision === 0) {
    const { draft, outcome } = await drafts.putArticleDraft({ ...request, validateOnly: true }, caller.callContext());
    if (outcome === PutOutcome.UPDATED) {
      const { authors } = toNextRevision(draft).notice;
      // The last author would be the caller.
      const others = authors.slice(0, -1).join(', ') || authors.join(', ');
      throw new KnowledgeError('invalid_state', `There is a draft by ${others} already.`);
    }
  }
  return drafts.putArticleDraft(request, caller.callContext());
}
