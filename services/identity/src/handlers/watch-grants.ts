import type { WatchGrantsRequest, WatchGrantsResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transitions.js';
import { presentTransition } from './present-record.js';

export function handleWatchGrants(
  log: WatchedLog<LogEntry>,
): ServerStreamHandler<WatchGrantsRequest, WatchGrantsResponse> {
  return watchHandler(log, {
    factsOf: (entry) => entry,
    toWire: ({ subject, id, name: agentName = '', ...transition }, cursor) => ({
      ...{ cursor, subject, id, agentName },
      transition: presentTransition(transition),
    }),
  });
}
