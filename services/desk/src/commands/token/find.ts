import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { GrpcClient } from '@knowledge/runtime/client';
import { resolveId } from '../../ids.js';
import type { Session } from '../../session.js';

export type GrantsClient = GrpcClient<typeof GrantAdminServiceService>;

export function findTokenId(session: Session, grants: GrantsClient, word: string): Promise<string> {
  const request = { email: '', pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) =>
    (await grants.listTokens({ ...request, idPrefix }, session.callContext())).tokens;
  return resolveId(word, find, 'token');
}
