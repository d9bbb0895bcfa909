import type { Act } from '@knowledge/runtime';
import type { Contribution } from './contribution.js';
import { withPublication } from './review.js';

/** What erasing a person makes of one of their contributions. */
export type Erased =
  /** Published work that stays, without anything that tells whose it is. */
  | { kind: 'anonymized'; contribution: Contribution }
  /** What remains until the catalog and the log have heard of it: no text, no name, no reason. Then it is deleted. */
  | { kind: 'deleted'; remains: Contribution };

/** The state that the log shows for what was erased. */
const erasedState = 'erased';

/**
 * Erases whose a contribution is (gateway/PROTOCOL.md#personal-data): published work stays without its name unless
 * `withWork`, anything else goes. What the catalog shows is taken out of it, or loses its author, through the
 * publication outbox.
 */
export function eraseContribution(contribution: Contribution, withWork: boolean, act: Act): Erased {
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
  // One that was ever published is retracted again: a publication under way must find a tombstone.
  const remains = contribution.publication === null ? emptied : withPublication(emptied, 'retract', 'erased', act.at);
  return { kind: 'deleted', remains };
}
