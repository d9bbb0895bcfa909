import type {
  CorrectPromptRequest,
  CorrectPromptResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf, requireActor } from './call.js';
import { presentPrompt } from './present-prompt.js';

/** PromptService.CorrectPrompt. */
export function handleCorrectPrompt(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<CorrectPromptRequest, CorrectPromptResponse> {
  return async ({ id, question, reason }, context) => {
    const actor = requireActor(context);
    return { prompt: presentPrompt(await prompts.correct(id, question, reason, actor, callOf(context, clock))) };
  };
}
