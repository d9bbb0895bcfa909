import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { type CallContext, childDeadline, hasCode } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import { requireSite, toWireSite } from '@knowledge/runtime/wire';
import type { Contribution, TextName } from '../domain/contribution.js';

const callMs = 1500;

/** Finds published texts, which the content service stores. */
export function connectPublishedTexts(options: ConnectOptions) {
  const content = connectGrpc(ContentServiceService, { ...options, callerName: 'contributions', deadlineMs: callMs });

  async function entryOf({ site, kind, id }: TextName, call: CallContext) {
    const { requestId, traceparent, signal } = call;
    const until = { requestId, traceparent, signal, deadline: childDeadline(call.deadline, callMs) };
    if (kind === 'object') return (await content.getObject({ id }, until)).object?.entry;
    const item = { context: undefined, site: toWireSite(site), slug: id };
    const outcome = (await content.getArticles({ items: [item] }, until)).results[0]?.outcome;
    if (outcome?.$case === 'error') throw fromStatus(outcome.value);
    return outcome?.value.entry;
  }

  return {
    /** Finds a published text with its site and title; undefined if no such text is published. */
    async find(text: TextName, call: CallContext): Promise<Contribution['about'] | undefined> {
      try {
        const entry = await entryOf(text, call);
        return entry && { ...text, site: requireSite(entry.site), title: entry.title };
      } catch (error) {
        if (hasCode(error, 'not_found')) return undefined;
        throw error;
      }
    },
    close: () => content.close(),
  };
}
