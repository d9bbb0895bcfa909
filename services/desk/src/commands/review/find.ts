import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { ModerationClient } from '../../actions/review/moderation-client.js';
import { resolveId, resolveIds } from '../../ids.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';

/** A contribution that the user named by its id. */
export interface FoundContribution {
  readonly id: string;
  /** The record of the contribution; undefined if `findContributions` was called without `withRecords`. */
  readonly record: ContributionView | undefined;
}

/**
 * Finds contributions by the first characters of their ids, without duplicates. Reads their records if `withRecords` is
 * set.
 */
export async function findContributions(
  session: Session,
  moderation: ModerationClient,
  words: readonly string[],
  withRecords: boolean,
): Promise<FoundContribution[]> {
  const ids = await resolveIds(words, (word) => findContributionId(session, moderation, word));
  const found: FoundContribution[] = [];
  for (const id of ids) {
    found.push({ id, record: withRecords ? await readContribution(session, moderation, id) : undefined });
  }
  return found;
}

export function findContributionId(session: Session, moderation: ModerationClient, word: string): Promise<string> {
  const any = { state: ContributionState.UNSPECIFIED, type: ContributionType.UNSPECIFIED, site: Site.UNSPECIFIED };
  const find = async (idPrefix: string) => {
    const page = { idPrefix, pageSize: 10, pageToken: '' };
    const { contributions } = await moderation.listContributionRecords({ ...any, ...page }, session.callContext());
    return contributions.map(({ contribution }) => requireField(contribution));
  };
  return resolveId(word, find, 'contribution');
}

export async function readContribution(
  session: Session,
  moderation: ModerationClient,
  id: string,
): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id }, session.callContext());
  return presentContribution(requireField(contribution));
}
