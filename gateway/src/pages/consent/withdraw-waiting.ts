import type { CallOptions } from '@knowledge/runtime/grpc';
import type { Clients } from '../../upstream/clients.js';

/** What ended, and whose it was. */
export interface Ended {
  /** Empty if no texts are to be withdrawn. */
  readonly email: string;
  readonly authorizationIds: readonly string[];
}

/**
 * Withdraws at once what waits for review of ended authorizations, and says how much that was; undefined where it cannot be
 * said now. The contributions service hears of every end by itself, so a failure here loses nothing.
 */
export async function withdrawWaiting(
  { contributions }: Pick<Clients, 'contributions'>,
  { email, authorizationIds }: Ended,
  call: CallOptions,
): Promise<number | undefined> {
  if (email === '' || authorizationIds.length === 0) return undefined;
  const calls = chunks(authorizationIds).map((ids) =>
    contributions.withdrawWaiting({ email, authorizationIds: ids }, call),
  );
  const answers = await Promise.all(calls).catch(() => undefined);
  return answers?.reduce((sum, { withdrawn }) => sum + withdrawn, 0);
}

function chunks(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / most);
  return Array.from({ length: count }, (_, at) => ids.slice(at * most, (at + 1) * most));
}

/** How many the service takes in a call. */
const most = 200;
