import type {
  GetPromptRecordRequest,
  GetPromptRecordResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PromptStore } from '../store/prompts.js';
import { callOf } from './call.js';
import { presentPrompt } from './present-prompt.js';
import { presentTransition } from './present-record.js';

/** PromptService.GetPromptRecord. */
export function handleGetPromptRecord(
  prompts: PromptStore,
  clock: Clock,
): UnaryHandler<GetPromptRecordRequest, GetPromptRecordResponse> {
  return async ({ id }, context) => {
    const prompt = await prompts.get(id, callOf(context, clock));
    if (prompt === undefined) throw new KnowledgeError('not_found', 'There is no prompt with this id.');
    return { prompt: presentPrompt(prompt), history: prompt.history.map(presentTransition) };
  };
}
