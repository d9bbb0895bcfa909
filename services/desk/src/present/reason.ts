import { type CannedReason, ReasonedDecision } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { enumWords } from '../words.js';

const words = enumWords(ReasonedDecision);

/** The decisions that can have a canned reason, as the names of their commands. */
export const decisions = words.words.map(toCommand);

export type ReasonView = ReturnType<typeof presentReason>;

export function presentReason({ id, words: text, decisions: named, order }: CannedReason) {
  return { id, words: text, decisions: named.map((each) => toCommand(words.fromWire(each))), order };
}

export function toWireDecision(name: string): ReasonedDecision {
  return words.toWire(name.replaceAll('-', '_'));
}

function toCommand(word: string): string {
  return word.replaceAll('_', '-');
}
