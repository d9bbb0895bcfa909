import type { ShowSubjectRequest, ShowSubjectResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Quota } from '../domain/quota.js';
import type { SubjectLog } from '../store/subject-log.js';
import { subjectActOf } from './subject-act.js';
import { presentAllowance, readSubject } from './wire.js';

/** QuotaAdminService.ShowSubject. Who looks, and why, is stored. */
export function handleShowSubject(
  quota: Quota,
  acts: SubjectLog,
): UnaryHandler<ShowSubjectRequest, ShowSubjectResponse> {
  return async (request, context) => {
    const subject = readSubject(request.subject);
    const allowances = await quota.show(subject, context.signal);
    await acts.record(subjectActOf(subject, 'viewed', context, request.reason), context.signal);
    return { allowances: allowances.map(presentAllowance) };
  };
}
