import type { Attribution } from '@knowledge/runtime';
import type { Contribution } from './contribution.js';
import { withPublication } from './review.js';

/** The result of erasing a person for one contribution. */
export type ErasureResult =
  /** A published text stays, without anything that identifies the person. */
  | { kind: 'anonymized'; contribution: Contribution }
  /** Without text, name and reason. It is deleted once the catalog and the log have the erasure. */
  | { kind: 'deleted'; remains: Contribution };

/** The last state in the log. */
const erasedState = 'erased';

/**
 * Erases the person from a contribution (gateway/PROTOCOL.md#personal-data). A published text stays without its author,
 * unless `withWork`; everything else is deleted. The publication outbox updates the catalog.
 */
export function eraseContribution(contribution: Contribution, withWork: boolean, act: Attribution): ErasureResult {
  const revision = contribution.revision + 1;
  const { state } = contribution;
  const stays = state === 'published' && !withWork;
  const to = stays ? state : erasedState;
  const transition = { from: state, to, actor: act.actor, at: act.at, reason: 'erased', revision };
  const nameless: Contribution = {
    ...contribution,
    name: null,
    email: '',
    tokenId: '',
    agentName: '',
    authorizationId: '',
    textHash: '',
    duplicateOf: null,
    updatedAt: act.at,
    revision,
    history: [...contribution.history, transition],
  };
  if (stays) return { kind: 'anonymized', contribution: withPublication(nameless, 'publish', '', act.at) };
  const emptied: Contribution = {
    ...nameless,
    title: null,
    body: '',
    prompt: null,
    reason: '',
    note: '',
    answer: '',
    history: nameless.history.map((each) => (each === transition ? each : { ...each, reason: '' })),
  };
  // A text that was ever published is retracted again, so that a publication under way cannot bring it back.
  const remains = contribution.publication === null ? emptied : withPublication(emptied, 'retract', 'erased', act.at);
  return { kind: 'deleted', remains };
}
