import type { Site } from '@knowledge/runtime';
import { containsAddress, hiddenFault, KnowledgeError, withoutHiddenCharacters } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';

/** Collects the faults of one input, so that one error reports all of them. */
export interface Faults {
  /** Adds a fault. The message reads: the name of the field, then these words. */
  add(field: string, bound: string): void;
  /** @throws KnowledgeError `validation_error` that names every field and its bound, if there is any. */
  throwIfAny(): void;
}

export function collectFaults(): Faults {
  const found: string[] = [];
  return {
    add: (field, bound) => void found.push(`${field} ${bound}`),
    throwIfAny: () => {
      if (found.length > 0) throw new KnowledgeError('validation_error', `${found.join('; ')}.`);
    },
  };
}

/** An input in which required fields may be missing. */
export type Unchecked<Put, Field extends keyof Put> = Omit<Put, Field> & {
  readonly [Name in Field]: Put[Name] | undefined;
};

/** The required site. If it is missing, adds a fault and returns a placeholder that is never stored. */
export function checkSite(faults: Faults, site: Site | undefined): Site {
  if (site === undefined) faults.add('site', 'is required: io or org');
  return site ?? 'org';
}

export interface TextBounds {
  /** The least number of code points after trimming; 1 makes it required. */
  readonly min?: number;
  /** The most code points, as sent. */
  readonly max: number;
  /** Whether line breaks and tabs may be in it. */
  readonly lines?: boolean;
}

/** Checks a text field: its length in code points and the absence of control characters. */
function checkText(faults: Faults, field: string, value: string, { min = 0, max, lines }: TextBounds): void {
  if (codePoints(value) > max || codePoints(value.trim()) < min) {
    faults.add(field, min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`);
  }
  if ((lines ? controlsButLines : controls).test(value)) faults.add(field, 'must not contain control characters');
}

/** Checks a short text that readers rely on, such as a title: like a text, and without hidden characters. */
export function checkShown(faults: Faults, field: string, value: string, textBounds: TextBounds): void {
  checkText(faults, field, value, textBounds);
  const hidden = hiddenFault(value);
  if (hidden !== undefined) faults.add(field, hidden);
}

/** Checks a Markdown body: required, and bounded in bytes of UTF-8. */
export function checkBody(faults: Faults, field: string, value: string): void {
  if (withoutHiddenCharacters(value).trim() === '') faults.add(field, 'is required');
  if (Buffer.byteLength(value) > bounds.articleBytes)
    faults.add(field, `must be at most ${bounds.articleBytes} bytes of UTF-8`);
  if (value.includes('\0')) faults.add(field, 'must not contain NUL');
}

/** Checks a display name: at most 120 characters, never an e-mail address. */
export function checkAuthor(faults: Faults, field: string, value: string): void {
  checkShown(faults, field, value, { max: 120 });
  if (containsAddress(value)) faults.add(field, 'must be a name, not an e-mail address');
}

/** Checks an optional time: RFC 3339 must be able to express it. */
export function checkTime(faults: Faults, field: string, value: Date | undefined): void {
  if (value === undefined) return;
  const year = value.getUTCFullYear();
  if (!(year >= 1970 && year <= 9999)) faults.add(field, 'must be a time from 1970 to 9999');
}

/** Checks the reason of a change: at most 2,000 characters. */
export function checkReason(faults: Faults, value: string): void {
  checkText(faults, 'reason', value, { max: 2000, lines: true });
}

/**
 * The reason of a change: at most 2,000 characters.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requireReason(reason = ''): string {
  const faults = collectFaults();
  checkReason(faults, reason);
  faults.throwIfAny();
  return reason;
}

/** Whether a string can name an article: `a-z0-9` and single hyphens. */
export function isSlug(value: string): boolean {
  return value.length <= bounds.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value);
}

/** Whether a string can be a tag: `a-z0-9` and hyphens. */
export function isTag(value: string): boolean {
  return value.length <= bounds.tag.max && /^[a-z0-9-]+$/.test(value);
}

/** Whether a string is a UUID as we write it, in lower case. */
export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value);
}

/** The length of a text as people and JSON Schema count it. */
export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

const controls = /\p{Cc}/u;
const controlsButLines = /[^\P{Cc}\t\n\r]/u;
