import type {
  ActivatePromptRequest,
  ActivatePromptResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf, requireActor } from './call.js';
import { presentPrompt } from './present-prompt.js';

/** PromptService.ActivatePrompt. */
export function handleActivatePrompt(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<ActivatePromptRequest, ActivatePromptResponse> {
  return async ({ id }, context) => ({
    prompt: presentPrompt(await prompts.activate(id, requireActor(context), callOf(context, clock))),
  });
}
