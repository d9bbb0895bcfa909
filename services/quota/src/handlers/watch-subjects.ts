import type { WatchSubjectsRequest, WatchSubjectsResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import type { SubjectEntry } from '../store/subject-log.js';

/** QuotaAdminService.WatchSubjects. */
export function handleWatchSubjects(
  log: WatchedLog<SubjectEntry>,
): ServerStreamHandler<WatchSubjectsRequest, WatchSubjectsResponse> {
  return watchHandler(log, { factsOf: (entry) => entry, toWire: presentEntry });
}

function presentEntry({ subject, id, to, actor, at, reason }: SubjectEntry, cursor: string): WatchSubjectsResponse {
  const transition = { fromState: '', toState: to, actor, occurredAt: at, reason, revision: 0 };
  return { cursor, subject, id, transition };
}
