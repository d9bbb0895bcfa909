import { KnowledgeError } from '../errors/knowledge-error.js';
import { codePoints, hiddenFault, isVisible } from './hidden-characters.js';

/** What is wrong with a field, in words after its name; undefined or false if nothing is. */
export type Fault = string | false | undefined;

/** @throws KnowledgeError `validation_error` that lists every fault, if there are any. */
export function refuseFaults(faults: readonly Fault[]): void {
  const found = faults.filter(Boolean);
  if (found.length > 0) refuse(found.join('; '));
}

/** @throws KnowledgeError `validation_error` with the fault as its sentence. */
export function refuse(fault: string): never {
  throw new KnowledgeError('validation_error', `${fault}.`);
}

/** The bounds of a text in code points. The minimum applies to the trimmed text, the maximum to the text as sent. */
export interface TextBounds {
  readonly min?: number;
  readonly max: number;
}

/** The fault of a text of any number of lines. */
export function textFault(field: string, text: string, { min = 0, max }: TextBounds): string | undefined {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    return `${field} must be well-formed Unicode without NUL characters`;
  }
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  if (text.length > max && codePoints(text) > max) return `${field} must have at most ${max} characters`;
  const trimmed = codePoints(text.trim());
  if (trimmed >= min) return undefined;
  return min === 1
    ? `${field} is required`
    : `${field} must have at least ${min} characters; it has ${trimmed}${unseen(text)}`;
}

function unseen(text: string) {
  return text === text.trim() ? '' : ', as white space at the ends does not count';
}

/** Like `textFault`, but also for hidden characters. */
export function lineFault(field: string, text: string, bounds: TextBounds): string | undefined {
  const hidden = hiddenFault(text);
  return textFault(field, text, bounds) ?? (hidden === undefined ? undefined : `${field} ${hidden}`);
}

/** Like `lineFault`, but for a text that readers must be able to see. */
export function shownFault(field: string, text: string, bounds: TextBounds): string | undefined {
  const isUnseen = text.trim() !== '' && !isVisible(text);
  const fault = lineFault(field, text, bounds);
  return fault ?? (isUnseen ? `${field} must have a letter, digit or symbol that can be seen` : undefined);
}

/** Like `shownFault`, but for a title or name, which is a single line. */
export function shownLineFault(field: string, text: string, bounds: TextBounds): string | undefined {
  const [, before = '', found] = /^(.*?)([\n\r\u2028\u2029]|\\n|\p{M}{9})/su.exec(text) ?? [];
  if (found === undefined) return shownFault(field, text, bounds);
  const where = `at character ${codePoints(before) + 1}`;
  if (found === '\\n') return `${field} must be one line; it has \\n as two characters ${where}`;
  if (found.length === 1) return `${field} must be one line; it has a line break ${where}`;
  return `${field} must have at most 8 marks on one letter; it has more ${where}`;
}
