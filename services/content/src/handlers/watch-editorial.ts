import type { WatchEditorialRequest, WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type ServerStreamHandler, serverStream } from '@knowledge/runtime/grpc';
import type { WatchDeps } from '../domain/change-watch.js';
import { readChanges, readCursor } from '../domain/editorial-watch.js';
import { presentTransition } from './present-article.js';
import { presentSite, presentSubject } from './wire-enums.js';

export function handleWatchEditorial(
  deps: WatchDeps,
): ServerStreamHandler<WatchEditorialRequest, WatchEditorialResponse> {
  return serverStream(async ({ afterCursor }, context, emit) => {
    const begun = (position: number): void => context.announce({ 'x-cursor': String(position) });
    const changes = readChanges(deps, readCursor(afterCursor), context.signal, begun);
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
