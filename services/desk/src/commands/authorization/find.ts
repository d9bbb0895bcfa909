import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { wholeId } from '../../ids.js';
import { required } from '../../present/required.js';
import type { Session } from '../../session.js';
import type { GrantsClient } from '../token/find.js';

/** The whole id of an authorization request. */
export function findAuthorizationId(session: Session, grants: GrantsClient, word: string): Promise<string> {
  const request = { email: '', state: AuthorizationState.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) => {
    const { authorizations } = await grants.listAuthorizations({ ...request, idPrefix }, session.call());
    return authorizations.map(({ authorization }) => required(authorization));
  };
  return wholeId(word, find, 'authorization request');
}
