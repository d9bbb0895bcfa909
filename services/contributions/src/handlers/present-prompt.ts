import type { Prompt as WirePrompt } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Prompt } from '../domain/prompt.js';
import { presentPromptState, presentSite } from './wire-enums.js';

/** A prompt as it travels. */
export function presentPrompt(prompt: Prompt): WirePrompt {
  return {
    id: prompt.id,
    site: presentSite(prompt.site),
    question: prompt.question,
    state: presentPromptState(prompt.state),
    opensAt: prompt.opensAt ?? undefined,
    closesAt: prompt.closesAt ?? undefined,
    createdAt: prompt.createdAt,
    revision: prompt.revision,
  };
}
