import { type Site, WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import type { WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type CallOptions, fromServiceError } from '@knowledge/runtime/client';
import type { EditorialClient } from '../../connection/editorial-client.js';

/** A page is open for at most as long as its session. */
const lookBackMs = 24 * 60 * 60 * 1000;

/** Who saved this revision of the highlights of a site. Undefined if the log of the last day does not say it. */
export async function whoSaved(
  editorial: Pick<EditorialClient, 'watchEditorial'>,
  wanted: { readonly site: Site; readonly revision: number },
  call: CallOptions,
): Promise<string | undefined> {
  const until = new Date();
  const since = new Date(until.getTime() - lookBackMs);
  const filter = WatchFilter.fromPartial({ subject: 'highlights', since, until });
  const events = editorial.watchEditorial({ afterCursor: '', filter }, call) as AsyncIterable<WatchEditorialResponse>;
  let actor: string | undefined;
  try {
    for await (const { site, transition } of events) {
      if (site === wanted.site && transition?.revision === wanted.revision) actor = transition.actor;
    }
  } catch (error) {
    throw fromServiceError(error);
  }
  return actor;
}
