import type { WatchEditorialRequest, WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type ServerStreamHandler, serverStream } from '@knowledge/runtime/grpc';
import { followLog, readCursor, readWatchFilter, type WatchedLog } from '@knowledge/runtime/watch';
import type { Change } from '../domain/change.js';
import { presentTransition } from './present-article.js';
import { presentSite, presentSubject } from './wire-enums.js';

export function handleWatchEditorial(
  log: WatchedLog<Change>,
): ServerStreamHandler<WatchEditorialRequest, WatchEditorialResponse> {
  return serverStream(async ({ afterCursor, filter }, context, emit) => {
    const changes = followLog(log, {
      after: readCursor(afterCursor),
      filter: readWatchFilter(filter),
      factsOf: ({ subject, key, transition: { actor, at } }) => ({ subject, id: key, actor, at }),
      signal: context.signal,
      begun: (position) => context.announce({ 'x-cursor': String(position) }),
    });
    for await (const { position, subject, site, key, transition } of changes) {
      await emit({
        cursor: String(position),
        subject: presentSubject(subject),
        site: presentSite(site),
        key,
        transition: presentTransition(transition),
      });
    }
  });
}
