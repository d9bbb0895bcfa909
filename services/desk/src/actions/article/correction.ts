import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError } from '@knowledge/runtime/client';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import type { Caller } from '../caller.js';
import type { ModerationClient } from '../review/decisions.js';

/**
 * Reads the inquiry that proposes a correction of this article.
 *
 * @throws KnowledgeError `not_found`, or `validation_error` if it is something else.
 */
export async function readCorrection(
  moderation: ModerationClient,
  caller: Caller,
  id: string,
  article: { readonly site: Site; readonly slug: string },
): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id }, caller.callContext());
  const view = presentContribution(requireField(contribution));
  const { purpose, about } = view;
  if (purpose === 'correction' && about?.slug === article.slug && about.site === sites.fromWire(article.site)) {
    return view;
  }
  throw new KnowledgeError('validation_error', `Inquiry ${id} proposes no correction of ${article.slug}.`);
}

/** The reason of a draft that brings in a correction, so that the log leads to the inquiry. */
export function reasonOf({ id }: Pick<ContributionView, 'id'>): string {
  return `Correction proposed in inquiry ${id}.`;
}
