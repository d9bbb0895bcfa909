import { KnowledgeError } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import { isLonger, type Subject, subjectDigest } from '../domain/subject.js';
import type { SubjectAct } from '../store/subject-log.js';

/**
 * What the log keeps of a look at a subject or of its reset: hashes, never the subject itself. Without mutual TLS a caller
 * that only looks may be unnamed.
 */
export function subjectActOf(
  { kind, value }: Subject,
  to: SubjectAct['to'],
  { actor = 'unnamed' }: HandlerContext,
  reason = '',
): SubjectAct {
  if (isLonger(reason, 2000)) throw new KnowledgeError('validation_error', 'reason must be at most 2000 characters.');
  const whose = kind === 'email' ? { person: personHash(value) } : {};
  return { subject: kind, id: subjectDigest({ kind, value }), ...whose, to, actor, at: new Date(), reason };
}
