import type { ShowSubjectRequest, ShowSubjectResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Quota } from '../domain/quota.js';
import { presentAllowance, readSubject } from './wire.js';

/** QuotaAdminService.ShowSubject. */
export function handleShowSubject(quota: Quota): UnaryHandler<ShowSubjectRequest, ShowSubjectResponse> {
  return async ({ subject }, { signal }) => ({
    allowances: (await quota.show(readSubject(subject), signal)).map(presentAllowance),
  });
}
