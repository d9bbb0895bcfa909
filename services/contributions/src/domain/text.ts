import { hiddenFault, KnowledgeError } from '@knowledge/runtime';

/** The length of a text in code points: the minimum after trimming, the maximum as sent. */
export interface TextBounds {
  min: number;
  max: number;
}

export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Describes the fault of a text with its field and bound; undefined if there is none. */
export function textFault(field: string, text: string, { min, max }: TextBounds): string | undefined {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    return `${field} must be well-formed Unicode without NUL characters`;
  }
  // A text has at most as many code points as UTF-16 units, so most texts need no counting.
  if (text.length > max && lengthOf(text) > max) return `${field} must be at most ${max} characters`;
  const trimmed = lengthOf(text.trim());
  if (trimmed < min) return `${field} must be at least ${min} characters; it has ${trimmed}${unseen(text)}`;
  return undefined;
}

function unseen(text: string): string {
  return text === text.trim() ? '' : ', as white space at the ends does not count';
}

/** As `textFault`, for a text of one line without hidden characters. */
export function lineFault(field: string, text: string, bounds: TextBounds): string | undefined {
  const hidden = hiddenFault(text);
  return textFault(field, text, bounds) ?? (hidden === undefined ? undefined : `${field} ${hidden}`);
}

/** @throws KnowledgeError `validation_error` that names every fault, if there is one. */
export function refuseFaults(faults: readonly (string | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length > 0) throw new KnowledgeError('validation_error', `${found.join('; ')}.`);
}

/**
 * Checks the reason for an act: at most 2,000 characters.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requireReason(reason = ''): string {
  refuseFaults([textFault('reason', reason, { min: 0, max: 2000 })]);
  return reason;
}

/** Cuts a text to at most `max` code points and adds an ellipsis. It cuts at the end of a word if one is near. */
export function shorten(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  const cut = points.slice(0, max - 1).join('');
  const lastSpace = cut.search(/\s\S*$/);
  const atWord = lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut;
  return `${atWord.trimEnd()}…`;
}
