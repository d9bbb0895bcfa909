import type { CallOptions } from '@knowledge/runtime/grpc';
import type { Clients } from '../../upstream/clients.js';

/** The authorizations that ended, and the address of their human. */
export interface EndedAuthorizations {
  /** Empty if no texts are to be withdrawn. */
  readonly email: string;
  readonly authorizationIds: readonly string[];
}

/**
 * Withdraws contributions of ended authorizations that wait for review.
 * @returns their number; undefined if the call fails, and then the contributions service withdraws them later by itself
 */
export async function withdrawWaiting(
  { contributions }: Pick<Clients, 'contributions'>,
  { email, authorizationIds }: EndedAuthorizations,
  call: CallOptions,
): Promise<number | undefined> {
  if (email === '' || authorizationIds.length === 0) return undefined;
  const calls = chunks(authorizationIds).map((ids) =>
    contributions.withdrawWaiting({ email, authorizationIds: ids }, call),
  );
  const responses = await Promise.all(calls).catch(() => undefined);
  return responses?.reduce((sum, { withdrawn }) => sum + withdrawn, 0);
}

function chunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / mostPerCall);
  return Array.from({ length: count }, (_, at) => ids.slice(at * mostPerCall, (at + 1) * mostPerCall));
}

/** How many ids the service accepts in one call. */
const mostPerCall = 200;
