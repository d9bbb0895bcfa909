import type { ResetSubjectRequest, ResetSubjectResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Quota } from '../domain/quota.js';
import { presentAllowance, readSubject } from './wire.js';

/** QuotaAdminService.ResetSubject. The log says who did it and to what kind of subject, never to whom. */
export function handleResetSubject(quota: Quota): UnaryHandler<ResetSubjectRequest, ResetSubjectResponse> {
  return async (request, { actor, signal, log }) => {
    if (actor === undefined) {
      throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
    }
    const subject = readSubject(request.subject);
    const allowances = await quota.reset(subject, signal);
    log.info({ actor, subject_kind: subject.kind }, 'the allowances of a subject were reset');
    return { allowances: allowances.map(presentAllowance) };
  };
}
