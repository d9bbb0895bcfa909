import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';

const outcomes = {
  created: PutOutcome.CREATED,
  updated: PutOutcome.UPDATED,
  unchanged: PutOutcome.UNCHANGED,
} as const;

export function presentOutcome(outcome: keyof typeof outcomes): PutOutcome {
  return outcomes[outcome];
}
