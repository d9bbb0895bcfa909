import type { ListPromptsRequest, ListPromptsResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { pageToken, readPageQuery } from '@knowledge/runtime';
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
    const filter = { site: readSite(request.site), state: readPromptState(request.state) };
    const { items, next } = await prompts.list(filter, readPageQuery(request), callOf(context, clock));
    return { prompts: items.map(presentPrompt), nextPageToken: pageToken(next) };
  };
}
