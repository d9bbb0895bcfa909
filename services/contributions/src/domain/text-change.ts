import { KnowledgeError } from '@knowledge/runtime';
import type { Contribution, TextChange, WrittenText } from './contribution.js';
import { textHashOf } from './text-hash.js';

/**
 * Replaces the text of a contribution and keeps the text before. Returns the fields that change; the transition must
 * belong to the next revision.
 *
 * @throws KnowledgeError `validation_error` if the text is the same.
 */
export function replaceText(
  contribution: Contribution,
  text: WrittenText,
  change: Omit<TextChange, 'revision' | 'fields' | 'before'>,
): WrittenText & Pick<Contribution, 'textHash' | 'duplicateOf' | 'textChanges'> {
  const { title, body, name, language, revision, textChanges, duplicateOf } = contribution;
  const before: WrittenText = { title, body, name, language };
  const fields = textFields.filter((field) => before[field] !== text[field]);
  if (fields.length === 0) {
    throw new KnowledgeError('validation_error', 'The text is the same as before; send one with changes.');
  }
  return {
    ...text,
    textHash: textHashOf(text.body),
    // An equal text was found for the first body only.
    duplicateOf: fields.includes('body') ? null : duplicateOf,
    textChanges: [...textChanges, { ...change, revision: revision + 1, fields, before }],
  };
}

/** The parts of a text that can change. */
export const textFields: readonly (keyof WrittenText)[] = ['title', 'body', 'name', 'language'];
