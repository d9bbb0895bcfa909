import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { presented } from '../base/presented.js';
import { enumWords, sites } from '../base/words.js';

export const promptStates = enumWords(PromptState);

export type PromptView = ReturnType<typeof presentPrompt>;

export function presentPrompt(prompt: Prompt) {
  return { ...presented(prompt), site: sites.fromWire(prompt.site), state: promptStates.fromWire(prompt.state) };
}
