import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
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
  const [sent, choice, found] = await Promise.all([
    contributions.listContributions(list, call).catch(() => undefined),
    contributions.getMailChoice({ email }, call).catch(() => undefined),
    changed === '' ? undefined : contributions.getContribution(one, call).catch(() => undefined),
  ]);
  return { sent, eachReceipt: choice?.eachReceipt, changed: found?.contribution };
}

// Small, since each text can have 8,000 characters to render.
const pageSize = 10;
