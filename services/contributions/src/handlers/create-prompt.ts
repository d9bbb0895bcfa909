import type { CreatePromptRequest, CreatePromptResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf, requireActor } from './call.js';
import { presentPrompt } from './present-prompt.js';
import { requireSite } from './wire-enums.js';

/** PromptService.CreatePrompt. */
export function handleCreatePrompt(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<CreatePromptRequest, CreatePromptResponse> {
  return async ({ id, site, question, opensAt = null, closesAt = null, activate }, context) => {
    const fields = { id, site: requireSite(site), question, opensAt, closesAt, activate };
    return { prompt: presentPrompt(await prompts.create(fields, requireActor(context), callOf(context, clock))) };
  };
}
