import { type Attribution, later } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import { type Contribution, type HistoryEntry, untouched } from './contribution.js';
import { withPublication } from './review.js';
import { type SentFields, sentNames, unsent } from './sent-fields.js';

/** The result of erasing a person from one contribution. */
export type ErasureResult =
  /** The published text stays, without anything that identifies the person. */
  | { kind: 'anonymized'; contribution: Contribution }
  /** Text, name and reasons are removed. The rest is deleted when the catalog and the log have the erasure. */
  | { kind: 'deleted'; remains: Contribution };

/** When a withdrawn contribution is erased; undefined in other states (gateway/PROTOCOL.md#personal-data). */
export function erasesAt({ state, updatedAt }: Pick<Contribution, 'state' | 'updatedAt'>): Date | undefined {
  return state === 'withdrawn' ? later(updatedAt, withdrawnKeptMs) : undefined;
}

/** The time for which a withdrawn contribution is kept. */
export const withdrawnKeptMs = rules.keptAfterEndDays * 86_400_000;

/**
 * Erases a person from a contribution (gateway/PROTOCOL.md#personal-data). A published text stays without its author,
 * unless `withWork` is true. All other texts are deleted. The publication outbox updates the catalog.
 */
export function eraseContribution(contribution: Contribution, withWork: boolean, act: Attribution): ErasureResult {
  const { id, type, site, state, submittedAt, reviewedAt, publishedAt, publication, catalogRevision } = contribution;
  const revision = contribution.revision + 1;
  const stays = state === 'published' && !withWork;
  const to = stays ? state : 'erased';
  const transition: HistoryEntry = { from: state, to, actor: act.actor, at: act.at, reason: 'erased', revision };
  // A field that does not stand here goes.
  const emptied: Contribution = {
    ...unsent,
    ...untouched,
    id,
    type,
    site,
    state,
    submittedAt,
    reviewedAt,
    publishedAt,
    publication,
    catalogRevision,
    email: '',
    tokenId: '',
    agentName: '',
    authorizationId: '',
    textHash: '',
    duplicateOf: null,
    // Readers still see that, and when, a moderator edited it.
    textChanges: contribution.textChanges
      .slice(-1)
      .filter(({ by }) => by === 'moderator')
      .map(({ revision, at, by, fields }) => ({ revision, at, by, fields, reason: '', before: null })),
    updatedAt: act.at,
    revision,
    history: [...contribution.history.map((each) => ({ ...each, reason: '' })), transition],
  };
  if (stays) {
    const sent = Object.fromEntries(sentNames.map((name) => [name, contribution[name]])) as unknown as SentFields;
    return {
      kind: 'anonymized',
      contribution: withPublication({ ...emptied, ...sent, name: null }, 'publish', '', act.at),
    };
  }
  // A text that was published once is retracted again, so that a running publication cannot restore it.
  const remains = publication === null ? emptied : withPublication(emptied, 'retract', 'erased', act.at);
  return { kind: 'deleted', remains };
}
