import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { timestamp } from '../base/time.js';
import { enumWords, sites } from '../base/words.js';

export const promptStates = enumWords(PromptState);

export type PromptView = ReturnType<typeof presentPrompt>;

export function presentPrompt(prompt: Prompt) {
  return {
    id: prompt.id,
    site: sites.fromWire(prompt.site),
    state: promptStates.fromWire(prompt.state),
    question: prompt.question,
    opens_at: timestamp(prompt.opensAt),
    closes_at: timestamp(prompt.closesAt),
    created_at: timestamp(prompt.createdAt),
    revision: prompt.revision,
  };
}
