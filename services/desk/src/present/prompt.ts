import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { enumWords, sites } from '../words.js';

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

export const promptColumns: readonly Column<PromptView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'site', value: 'site' },
  { header: 'state', value: 'state', isState: true },
  { header: 'question', value: 'question', flexible: true, minWidth: 30 },
  { header: 'opens, UTC', value: (each) => readableTime(each.opens_at), dropPriority: 2 },
  { header: 'closes, UTC', value: (each) => readableTime(each.closes_at), dropPriority: 1 },
];
