import type { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { CannedReason } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { reasonedDecisions } from '@knowledge/runtime/product';
import { decisionWords } from '../base/contribution-words.js';

/** The decisions that can have a canned reason, as the names of their commands. */
export const decisions = reasonedDecisions.map(toCommand);

export type ReasonView = ReturnType<typeof presentReason>;

export function presentReason({ id, words: text, decisions: named, order }: CannedReason) {
  return { id, words: text, decisions: named.map((each) => toCommand(decisionWords.fromWire(each))), order };
}

export function toWireDecision(name: string): Decision {
  return decisionWords.toWire(name.replaceAll('-', '_'));
}

function toCommand(word: string) {
  return word.replaceAll('_', '-');
}
