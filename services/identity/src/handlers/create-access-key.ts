import type { CreateAccessKeyRequest, CreateAccessKeyResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { newAccessKey } from '../domain/access-key.js';
import { readEmail } from '../domain/email.js';
import { makeSecret } from '../domain/secret.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';

/** Makes one more key of a human's own page, for a link in a mail. */
export function handleCreateAccessKey(
  authorizations: AuthorizationStore,
  keys: AccessKeyStore,
  clock: Clock,
): UnaryHandler<CreateAccessKeyRequest, CreateAccessKeyResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const call = callOf(context, clock);
    if (!(await authorizations.hasConfirmed(email, call))) {
      throw new KnowledgeError('not_found', 'This e-mail has confirmed no authorization that is still kept.');
    }
    const key = newAccessKey(email, 'org', call.now);
    const { code, hash } = makeSecret(key.id);
    await keys.insert({ ...key, hashes: [hash] }, call);
    return { accessKey: code, expiresAt: key.purgeAt };
  };
}
