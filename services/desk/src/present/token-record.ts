import type { GetTokenRecordResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { presentAuthorization } from './authorization.js';
import { requireField } from './require-field.js';
import { presentToken } from './token.js';
import { presentTransition } from './transition.js';

/** A token for support, with its authorization request. */
export type TokenRecordView = ReturnType<typeof presentTokenRecord>;

export function presentTokenRecord({ token, history, authorization }: GetTokenRecordResponse) {
  return {
    ...presentToken(requireField(token)),
    history: history.map(presentTransition),
    authorization: authorization === undefined ? null : presentAuthorization(authorization),
  };
}
