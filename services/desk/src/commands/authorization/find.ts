import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { resolveId } from '../../ids.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';
import type { GrantsClient } from '../token/find.js';

export function findAuthorizationId(session: Session, grants: GrantsClient, word: string): Promise<string> {
  const request = { email: '', state: AuthorizationState.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) => {
    const { authorizations } = await grants.listAuthorizations({ ...request, idPrefix }, session.callContext());
    return authorizations.map(({ authorization }) => requireField(authorization));
  };
  return resolveId(word, find, 'authorization request');
}
