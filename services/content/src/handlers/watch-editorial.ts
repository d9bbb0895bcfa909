import type { WatchEditorialRequest, WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { type Change, factsOfChange } from '../domain/change.js';
import { presentTransition } from './present-article.js';
import { presentSite, presentSubject } from './wire-enums.js';

export function handleWatchEditorial(
  log: WatchedLog<Change>,
): ServerStreamHandler<WatchEditorialRequest, WatchEditorialResponse> {
  return watchHandler(log, {
    factsOf: factsOfChange,
    present: ({ subject, site, key, transition }, cursor) => ({
      cursor,
      subject: presentSubject(subject),
      site: presentSite(site),
      key,
      transition: presentTransition(transition),
    }),
  });
}
