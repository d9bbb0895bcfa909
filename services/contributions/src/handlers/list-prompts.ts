import type { ListPromptsRequest, ListPromptsResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf } from './call.js';
import { presentPrompt } from './present-prompt.js';
import { readPromptState, readSite } from './wire-enums.js';

/** PromptService.ListPrompts. */
export function handleListPrompts(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<ListPromptsRequest, ListPromptsResponse> {
  return async (request, context) => {
    const idPrefix = readIdPrefix(request.idPrefix);
    const filter = { site: readSite(request.site), state: readPromptState(request.state), idPrefix };
    const { items, next } = await prompts.list(filter, readPageQuery(request), callOf(context, clock));
    return { prompts: items.map(presentPrompt), nextPageToken: pageToken(next) };
  };
}
