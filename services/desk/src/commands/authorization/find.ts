import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { GrpcClient } from '@knowledge/runtime/client';
import { resolveId } from '../../ids.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';

type GrantsClient = GrpcClient<typeof GrantAdminServiceService>;

export function findAuthorizationId(session: Session, grants: GrantsClient, word: string): Promise<string> {
  const request = { email: '', state: AuthorizationState.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) => {
    const { authorizations } = await grants.listAuthorizations({ ...request, idPrefix }, session.callContext());
    return authorizations.map(({ authorization }) => requireField(authorization));
  };
  return resolveId(word, find, 'authorization request');
}
