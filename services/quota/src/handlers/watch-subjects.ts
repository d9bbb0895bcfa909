import type { WatchSubjectsRequest, WatchSubjectsResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { followLog, readCursor, readWatchFilter, type WatchedLog } from '@knowledge/runtime/watch';
import type { SubjectEntry } from '../store/subject-log.js';

/** QuotaAdminService.WatchSubjects. */
export function handleWatchSubjects(
  log: WatchedLog<SubjectEntry>,
): ServerStreamHandler<WatchSubjectsRequest, WatchSubjectsResponse> {
  return async ({ afterCursor, filter }, context, emit) => {
    const entries = followLog(log, {
      after: readCursor(afterCursor),
      filter: readWatchFilter(filter),
      factsOf: (entry) => entry,
      signal: context.signal,
      begun: (position) => context.announce({ 'x-cursor': String(position) }),
    });
    for await (const entry of entries) await emit(presentEntry(entry));
  };
}

function presentEntry({ position, subject, id, to, actor, at, reason }: SubjectEntry): WatchSubjectsResponse {
  const transition = { fromState: '', toState: to, actor, occurredAt: at, reason, revision: 0 };
  return { cursor: String(position), subject, id, transition };
}
