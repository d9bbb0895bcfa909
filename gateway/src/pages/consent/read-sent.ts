import {
  type Contribution,
  ContributionState,
  type GetContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { Clients } from '../../upstream/clients.js';

/** Selects the contributions that a page shows. */
interface SentQuery {
  readonly email: string;
  /** The page token of older contributions; empty for the newest. */
  readonly older: string;
  /** The id of the contribution that was just changed; empty for none. */
  readonly changed: string;
}

/**
 * Reads what agents sent in a human's name, and which mails the human wants.
 * What fails is undefined, so that the page still shows the agents.
 */
export async function readSent(
  { contributions }: Pick<Clients, 'contributions'>,
  { email, older, changed }: SentQuery,
  call: CallOptions,
) {
  const list = { email, state: ContributionState.UNSPECIFIED, pageSize, pageToken: older, authorizationId: '' };
  const one = { email, id: changed, authorizationId: '' };
  // Lists lack the text before an edit, which the page shows as what moderators edited.
  const whole = async (each: Contribution): Promise<Contribution> => {
    if (!each.textChanges.some(({ by }) => by === 'moderator')) return each;
    const read = contributions.getContribution({ email, id: each.id, authorizationId: '' }, call);
    return (await read.catch(() => undefined))?.contribution ?? each;
  };
  const [sent, choice, found] = await Promise.all([
    contributions.listContributions(list, call).catch(() => undefined),
    contributions.getMailChoice({ email }, call).catch(() => undefined),
    changed === '' ? undefined : contributions.getContribution(one, call).catch(() => undefined),
  ]);
  if (sent !== undefined) sent.contributions = await Promise.all(shownFirst(sent.contributions, found).map(whole));
  return { sent, eachReceipt: choice?.eachReceipt, changed: found?.contribution };
}

/** Adds the contribution of a mailed link where the list does not have it. */
function shownFirst(
  list: readonly Contribution[],
  found: GetContributionResponse | undefined,
): readonly Contribution[] {
  const one = found?.contribution;
  return one === undefined || list.some(({ id }) => id === one.id) ? list : [one, ...list];
}

// Small, since each text can have 8,000 characters to render.
const pageSize = 10;
