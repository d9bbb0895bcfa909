import { createHash } from 'node:crypto';
import { codePoints, hiddenFault, isUuid, isVisible, KnowledgeError } from '@knowledge/runtime';

/** The bounds of a text in code points. The minimum applies to the trimmed text, the maximum to the text as sent. */
interface TextBounds {
  min: number;
  max: number;
}

/** Describes the fault of a text with its field and its bound; undefined if the text is valid. */
export function textFault(field: string, text: string, { min, max }: TextBounds): string | undefined {
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    return `${field} must be well-formed Unicode without NUL characters`;
  }
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  if (text.length > max && codePoints(text) > max) return `${field} must be at most ${max} characters`;
  const trimmed = codePoints(text.trim());
  if (trimmed < min) return `${field} must be at least ${min} characters; it has ${trimmed}${unseen(text)}`;
  return undefined;
}

function unseen(text: string): string {
  return text === text.trim() ? '' : ', as white space at the ends does not count';
}

/** Like `textFault`, but for a single line without hidden characters. */
export function lineFault(field: string, text: string, length: TextBounds): string | undefined {
  const hidden = hiddenFault(text);
  return textFault(field, text, length) ?? (hidden === undefined ? undefined : `${field} ${hidden}`);
}

/** Like `lineFault`, but for a title or name, which readers must be able to see. */
export function shownLineFault(field: string, text: string, length: TextBounds): string | undefined {
  const [, before = '', found] = /^(.*?)([\n\r\u2028\u2029]|\\n|\p{M}{9})/su.exec(text) ?? [];
  if (found !== undefined) {
    const where = `at character ${codePoints(before) + 1}`;
    if (found === '\\n') return `${field} must be one line; it has \\n as two characters ${where}`;
    if (found.length === 1) return `${field} must be one line; it has a line break ${where}`;
    return `${field} must have at most 8 marks on one letter; it has more ${where}`;
  }
  const unseen = text.trim() !== '' && !isVisible(text);
  const fault = lineFault(field, text, length);
  return fault ?? (unseen ? `${field} must have a letter, digit or symbol that can be seen` : undefined);
}

/** @throws KnowledgeError `validation_error` that lists every fault, if there are any. */
export function refuseFaults(faults: readonly (string | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined);
  if (found.length > 0) throw new KnowledgeError('validation_error', `${found.join('; ')}.`);
}

/** Cuts a text to at most `max` code points and adds an ellipsis. If possible it cuts after a whole word. */
export function shorten(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  const cut = points.slice(0, max - 1).join('');
  const lastSpace = cut.search(/\s\S*$/);
  const atWord = lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut;
  return `${atWord.trimEnd()}…`;
}

/** Hashes a text. Texts that differ only in white space have the same hash. */
export function textHashOf(body: string): string {
  return createHash('sha256').update(body.replace(/\s+/g, ' ').trim()).digest('base64url').slice(0, 27);
}

/** @throws KnowledgeError `validation_error` if the caller's new id is not a UUID in lower case. */
export function requireFreshId(id: string): void {
  if (!isUuid(id)) throw new KnowledgeError('validation_error', 'id must be a UUID in lower case.');
}
