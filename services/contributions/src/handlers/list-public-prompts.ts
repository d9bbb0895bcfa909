import type {
  ListPublicPromptsRequest,
  ListPublicPromptsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf } from './call.js';
import { presentPrompt } from './present-prompt.js';
import { requireSite } from './wire-enums.js';

/** ContributionsService.ListPublicPrompts. */
export function handleListPublicPrompts(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<ListPublicPromptsRequest, ListPublicPromptsResponse> {
  return async (request, context) => {
    const site = requireSite(request.site);
    const { items, next } = await prompts.listPublic(site, readPageQuery(request), callOf(context, clock));
    return { prompts: items.map(presentPrompt), nextPageToken: pageToken(next) };
  };
}
