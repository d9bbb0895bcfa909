import type {
  WatchContributionsRequest,
  WatchContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import type { LogEntry } from '../store/transition-log.js';
import type { LogFollower } from '../workers/log-follower.js';
import { presentTransition } from './present-record.js';
import { presentSite } from './wire-enums.js';

/** ModerationService.WatchContributions. */
export function handleWatchContributions(
  follower: LogFollower,
): ServerStreamHandler<WatchContributionsRequest, WatchContributionsResponse> {
  return async ({ afterCursor }, context, emit) => {
    const begun = (position: number): void => context.announce({ 'x-cursor': String(position) });
    const entries = follower.follow(readCursor(afterCursor), context.signal, begun);
    for await (const entry of entries) await emit(presentEntry(entry));
  };
}

/** The position behind a cursor; undefined for the end of the log. */
function readCursor(cursor: string): number | undefined {
  if (cursor === '') return undefined;
  if (!/^(0|[1-9]\d{0,14})$/.test(cursor)) {
    throw new KnowledgeError('validation_error', 'after_cursor is not one that this stream gave.');
  }
  return Number(cursor);
}

function presentEntry(entry: LogEntry): WatchContributionsResponse {
  return {
    cursor: String(entry.position),
    subject: entry.subject,
    id: entry.id,
    site: presentSite(entry.site),
    transition: presentTransition(entry),
  };
}
