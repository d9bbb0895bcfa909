import type { WatchGrantsRequest, WatchGrantsResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import type { LogFollower } from '../workers/log-follower.js';
import { presentTransition } from './present-record.js';

/** Follows the log. The cursor is the position, so a resumed stream loses and repeats nothing. */
export function handleWatchGrants(follower: LogFollower): ServerStreamHandler<WatchGrantsRequest, WatchGrantsResponse> {
  return async ({ afterCursor }, context, emit) => {
    const begun = (position: number): void => context.announce({ 'x-cursor': String(position) });
    const entries = follower.follow(readCursor(afterCursor), context.signal, begun);
    for await (const { position, subject, id, ...transition } of entries) {
      await emit({ cursor: String(position), subject, id, transition: presentTransition(transition) });
    }
  };
}

/** @throws KnowledgeError `validation_error` for a cursor that no stream gave. */
export function readCursor(cursor: string): number | undefined {
  if (cursor === '') return undefined;
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new KnowledgeError('validation_error', 'after_cursor is not one that this stream gave.');
  }
  return Number(cursor);
}
