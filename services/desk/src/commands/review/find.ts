import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { callsOf } from '../../calls-of.js';
import { readAtRevision, resolveId } from '../../ids.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';

export const moderation = callsOf('contributions', ModerationServiceService);

/** A contribution that the user named by `ID@revision`, or by an id alone. */
export interface FoundContribution {
  readonly id: string;
  /** The revision that the user named; 0 for none. */
  readonly revision: number;
  /** As lists have it, so that nobody counts as having seen its text. Undefined if its whole id is not in them. */
  readonly record: ContributionView | undefined;
}

/** Finds contributions by the first characters of their ids, each once. */
export async function findContributions(session: Session, words: readonly string[]): Promise<FoundContribution[]> {
  const found = await Promise.all(words.map((word) => findContribution(session, word)));
  return [...new Map(found.map((each) => [each.id, each])).values()];
}

async function findContribution(session: Session, word: string): Promise<FoundContribution> {
  // A missing address of the service is reported before a wrong id.
  const { listContributionRecords } = moderation(session);
  const named = readAtRevision(word);
  const records = new Map<string, ContributionView>();
  const find = async (idPrefix: string) => {
    const page = { idPrefix, pageSize: 10, pageToken: '' };
    const { contributions } = await listContributionRecords(page);
    for (const each of contributions.map(presentContribution)) records.set(each.id, each);
    return [...records.values()];
  };
  const id = await resolveId(named.id, find, 'contribution');
  if (records.size === 0) await find(id);
  return { id, revision: named.revision, record: records.get(id) };
}

export async function findContributionId(session: Session, word: string): Promise<string> {
  return (await findContribution(session, word)).id;
}

/** Reads a contribution. If it is shown to the user, the service notes which revision they have seen. */
export async function readContribution(session: Session, id: string, isShown = true): Promise<ContributionView> {
  const { contribution } = await moderation(session).getContributionRecord({ id, notShown: !isShown });
  return presentContribution(requireField(contribution));
}
