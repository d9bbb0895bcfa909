import type {
  WatchContributionsRequest,
  WatchContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { followLog, readCursor, readWatchFilter, type WatchedLog } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transition-log.js';
import { presentTransition } from './present-record.js';
import { presentLogSite } from './wire-enums.js';

/** ModerationService.WatchContributions. */
export function handleWatchContributions(
  log: WatchedLog<LogEntry>,
): ServerStreamHandler<WatchContributionsRequest, WatchContributionsResponse> {
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

function presentEntry(entry: LogEntry): WatchContributionsResponse {
  return {
    cursor: String(entry.position),
    subject: entry.subject,
    id: entry.id,
    site: presentLogSite(entry.site),
    transition: presentTransition(entry),
    title: entry.title ?? '',
  };
}
