import { KnowledgeError } from '@knowledge/runtime';

/** `UNIMPLEMENTED`: the service is of an older release, which lacks the method. */
const unimplemented = 12;

/**
 * Rejects with `unavailable` if an older release of a service lacks the method, as during an upgrade. Other errors stay as
 * they are.
 */
export async function refuseWithoutMethod(error: unknown): Promise<never> {
  const { cause } = error as { cause?: { code?: unknown } };
  if (cause?.code !== unimplemented) throw error;
  const message = 'This is not served yet, since an upgrade is not finished; try again.';
  throw new KnowledgeError('unavailable', message, { cause: error, retryAfterSeconds: 30 });
}
