import type {
  GetActivePromptRequest,
  GetActivePromptResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf } from './call.js';
import { presentPrompt } from './present-prompt.js';
import { requireSite } from './wire-enums.js';

/** ContributionsService.GetActivePrompt. */
export function handleGetActivePrompt(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<GetActivePromptRequest, GetActivePromptResponse> {
  return async ({ site }, context) => {
    const prompt = await prompts.active(requireSite(site), callOf(context, clock));
    if (prompt === undefined) throw new KnowledgeError('not_found', 'No community prompt is active on this site.');
    return { prompt: presentPrompt(prompt) };
  };
}
