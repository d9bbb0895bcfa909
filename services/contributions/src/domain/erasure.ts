import type { Attribution } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import type { Contribution, HistoryEntry } from './contribution.js';
import { withPublication } from './review.js';
import { unsent } from './sent-fields.js';

/** The result of erasing a person from one contribution. */
export type ErasureResult =
  /** The published text stays, without anything that identifies the person. */
  | { kind: 'anonymized'; contribution: Contribution }
  /** Text, name and reasons are removed. The rest is deleted when the catalog and the log have the erasure. */
  | { kind: 'deleted'; remains: Contribution };

/** When a withdrawn contribution is erased; undefined in other states (gateway/PROTOCOL.md#personal-data). */
export function erasesAt({ state, updatedAt }: Pick<Contribution, 'state' | 'updatedAt'>): Date | undefined {
  return state === 'withdrawn' ? new Date(updatedAt.getTime() + withdrawnKeptMs) : undefined;
}

/** The time for which a withdrawn contribution is kept. */
export const withdrawnKeptMs = rules.keptAfterEndDays * 86_400_000;

/**
 * Erases a person from a contribution (gateway/PROTOCOL.md#personal-data). A published text stays without its author,
 * unless `withWork` is true. All other texts are deleted. The publication outbox updates the catalog.
 */
export function eraseContribution(contribution: Contribution, withWork: boolean, act: Attribution): ErasureResult {
  const revision = contribution.revision + 1;
  const { state } = contribution;
  const stays = state === 'published' && !withWork;
  const to = stays ? state : 'erased';
  const transition: HistoryEntry = { from: state, to, actor: act.actor, at: act.at, reason: 'erased', revision };
  const nameless: Contribution = {
    ...contribution,
    name: null,
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
    held: null,
    proposal: null,
    looks: [],
    agentEnd: null,
    updatedAt: act.at,
    revision,
    history: [...contribution.history, transition],
  };
  if (stays) return { kind: 'anonymized', contribution: withPublication(nameless, 'publish', '', act.at) };
  const emptied: Contribution = {
    ...nameless,
    ...unsent,
    reason: '',
    note: '',
    answer: '',
    history: nameless.history.map((each) => (each === transition ? each : { ...each, reason: '' })),
  };
  // A text that was published once is retracted again, so that a running publication cannot restore it.
  const remains = contribution.publication === null ? emptied : withPublication(emptied, 'retract', 'erased', act.at);
  return { kind: 'deleted', remains };
}
