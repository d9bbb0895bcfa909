import type {
  WatchContributionsRequest,
  WatchContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transition-log.js';
import { presentTransition } from './present-record.js';
import { presentLogSite } from './wire-enums.js';

/** ModerationService.WatchContributions. */
export function handleWatchContributions(
  log: WatchedLog<LogEntry>,
): ServerStreamHandler<WatchContributionsRequest, WatchContributionsResponse> {
  return watchHandler(log, {
    factsOf: (entry) => entry,
    toWire: ({ subject, id, site, name: title = '', ...transition }, cursor) => ({
      ...{ cursor, subject, id, title, site: presentLogSite(site) },
      transition: presentTransition(transition),
    }),
  });
}
