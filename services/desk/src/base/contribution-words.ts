import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { AllowedEdit } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { type DecisionName, decisions, historyEntry } from '@knowledge/runtime/product';
import { shortened } from '@knowledge/runtime/shortened';
import { enumWords } from './words.js';

export const contributionStates = enumWords(ContributionState);

export const decisionWords = enumWords(Decision);

export function isDecisionName(word: string): word is DecisionName {
  return Object.hasOwn(decisions, word);
}

/** How a text can be edited: with other `words`, or only by `removal`; null for not at all. */
export function presentAllowedEdit(edit: AllowedEdit): string | null {
  return edit === AllowedEdit.UNSPECIFIED ? null : allowedEdits.fromWire(edit);
}

const allowedEdits = enumWords(AllowedEdit);

export const inquiryPurposes = enumWords(InquiryPurpose);

/** The purpose of an inquiry; null for other types. */
export function presentPurpose(purpose: InquiryPurpose): string | null {
  return purpose === InquiryPurpose.UNSPECIFIED ? null : inquiryPurposes.fromWire(purpose);
}

/** What moderators call it: `correction` and `report` in place of `inquiry`. */
export function typeOf({ type, purpose }: { readonly type: string; readonly purpose: string | null }): string {
  return purpose === null || purpose === 'question' ? type : purpose;
}

export const contributionTypes = enumWords(ContributionType);

/** The title of a contribution, or the beginning of its text, without hidden characters. */
export function titleOf({ title, body }: { readonly title: string | null; readonly body: string }): string {
  const text = withoutHiddenCharacters(title ?? body).replace(/\s+/g, ' ');
  return shortened(text.trim(), 110);
}

/** What was done by a decision: `Approved and published` for `approve_and_publish`. */
export function outcomeOf(decision: string): string {
  return isDecisionName(decision) ? decisions[decision].done : decision;
}

/** An entry of a history in words: `published → proposed` is no change of the state. Undefined for other entries. */
export function entryWords(from: string, to: string): string | undefined {
  return contributionStates.words.includes(from) ? historyEntry(to)?.words : undefined;
}

/** Whether the queue shows at once that somebody did this. */
export function isListed(to: string): boolean {
  return historyEntry(to)?.isListed ?? contributionStates.words.includes(to);
}
