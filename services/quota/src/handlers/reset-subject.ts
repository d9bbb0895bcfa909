import type { ResetSubjectRequest, ResetSubjectResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Quota } from '../domain/quota.js';
import type { SubjectLog } from '../store/subject-log.js';
import { subjectActOf } from './subject-act.js';
import { presentAllowance, readSubject } from './wire.js';

/** QuotaAdminService.ResetSubject. Who did it and why is stored first; of the subject only a hash. */
export function handleResetSubject(
  quota: Quota,
  acts: SubjectLog,
): UnaryHandler<ResetSubjectRequest, ResetSubjectResponse> {
  return async (request, context) => {
    const { actor, signal, log } = context;
    if (actor === undefined) {
      throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
    }
    const subject = readSubject(request.subject);
    await acts.record(subjectActOf(subject, 'reset', context, request.reason), signal);
    const allowances = await quota.reset(subject, signal);
    log.info({ actor, subject_kind: subject.kind }, 'the allowances of a subject were reset');
    return { allowances: allowances.map(presentAllowance) };
  };
}
