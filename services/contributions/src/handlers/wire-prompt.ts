import type { Prompt as WirePrompt } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { toWireSite } from '@knowledge/runtime/wire';
import type { Prompt } from '../domain/prompt.js';
import { toWirePromptState } from './wire-enums.js';

export function toWirePrompt(prompt: Prompt): WirePrompt {
  const { id, question, opensAt, closesAt, createdAt, revision } = prompt;
  const enums = { site: toWireSite(prompt.site), state: toWirePromptState(prompt.state) };
  return {
    id,
    question,
    opensAt: opensAt ?? undefined,
    closesAt: closesAt ?? undefined,
    createdAt,
    revision,
    ...enums,
  };
}
