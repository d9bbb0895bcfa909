import type { ClosePromptRequest, ClosePromptResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf, requireActor } from './call.js';
import { presentPrompt } from './present-prompt.js';

/** PromptService.ClosePrompt. */
export function handleClosePrompt(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<ClosePromptRequest, ClosePromptResponse> {
  return async ({ id }, context) => ({
    prompt: presentPrompt(await prompts.close(id, requireActor(context), callOf(context, clock))),
  });
}
