import { isDeepStrictEqual } from 'node:util';
import {
  canonicalLanguage,
  codePoints,
  containsAddress,
  hiddenFault,
  isVisible,
  KnowledgeError,
  languageBound,
  type Site,
  withoutHiddenCharacters,
} from '@knowledge/runtime';
import { markdownFault } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';

/** @throws KnowledgeError `validation_error` with this fault. */
export function check(isRight: boolean, fault: string): asserts isRight {
  if (!isRight) throw new KnowledgeError('validation_error', fault);
}

/** Collects all faults of one input, so that one error can report them together. */
export interface Faults {
  /** Adds a fault. The error message is the name of the field followed by `bound`. */
  add(field: string, bound: string): void;
  /** @throws KnowledgeError `validation_error` that lists every fault, if there are any. */
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

/** An input whose required fields may be missing. */
export type Unchecked<Put, Field extends keyof Put> = Omit<Put, Field> & {
  readonly [Name in Field]: Put[Name] | undefined;
};

/** Checks that the site is set. If not, adds a fault and returns a placeholder, which is never stored. */
export function checkSite(faults: Faults, site: Site | undefined): Site {
  if (site === undefined) faults.add('site', 'is required: io or org');
  return site ?? 'org';
}

interface TextBounds {
  /** The smallest number of code points after trimming. With 1 the field is required. */
  readonly min?: number;
  /** The largest number of code points before trimming. */
  readonly max: number;
  /** Whether the text may contain line breaks and tabs. */
  readonly lines?: boolean;
}

/** Checks the length of a text in code points. */
function checkLength(faults: Faults, field: string, value: string, { min = 0, max }: TextBounds) {
  if (codePoints(value) > max || codePoints(value.trim()) < min) {
    faults.add(field, min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`);
  }
}

function checkControls(faults: Faults, field: string, value: string, { lines }: TextBounds) {
  if ((lines ? controlsButLines : controls).test(value)) faults.add(field, 'must not contain control characters');
}

/** Checks a short text that readers see, such as a title. It must also have no hidden characters. */
export function checkShown(faults: Faults, field: string, value: string, textBounds: TextBounds): void {
  checkLength(faults, field, value, textBounds);
  const hidden = hiddenFault(value);
  if (hidden !== undefined) faults.add(field, hidden);
  else checkControls(faults, field, value, textBounds);
  if (value.trim() !== '' && !isVisible(value))
    faults.add(field, 'must have a letter, digit or symbol that can be seen');
  if (!textBounds.lines && value.includes('\\n')) faults.add(field, 'must be one line, without \\n');
}

/** Checks a Markdown body. It is required, and its length in UTF-8 bytes is limited. */
export function checkBody(faults: Faults, field: string, value: string): void {
  if (withoutHiddenCharacters(value).trim() === '') faults.add(field, 'is required');
  if (Buffer.byteLength(value) > bounds.articleBytes)
    faults.add(field, `must be at most ${bounds.articleBytes} bytes of UTF-8`);
  if (value.includes('\0')) faults.add(field, 'must not contain NUL');
}

/** Checks the Markdown of a body that an editor sends. What was accepted before is shown as far as it can be. */
export function checkMarkdown(faults: Faults, field: string, value: string): void {
  const fault = value.length <= bounds.articleBytes ? markdownFault(value) : undefined;
  if (fault !== undefined) faults.add(field, fault);
}

/** Checks a display name. It is not an e-mail address. */
export function checkAuthor(faults: Faults, field: string, value: string): void {
  checkShown(faults, field, value, bounds.name);
  if (containsAddress(value)) faults.add(field, 'must be a name, not an e-mail address');
}

/** Checks a BCP 47 tag, which may be empty. */
export function checkLanguage(faults: Faults, value: string): void {
  if (value !== '' && canonicalLanguage(value) === undefined) faults.add('language', languageBound);
}

/** Checks an optional time. RFC 3339 must be able to express it. */
export function checkTime(faults: Faults, field: string, value: Date | undefined): void {
  if (value === undefined) return;
  const year = value.getUTCFullYear();
  if (!(year >= 1970 && year <= 9999)) faults.add(field, 'must be a time from 1970 to 9999');
}

export function checkReason(faults: Faults, value: string): void {
  checkLength(faults, 'reason', value, bounds.reason);
  checkControls(faults, 'reason', value, { ...bounds.reason, lines: true });
}

/** @throws KnowledgeError `validation_error` for the reason of a change. */
export function requireReason(reason = ''): string {
  const faults = collectFaults();
  checkReason(faults, reason);
  faults.throwIfAny();
  return reason;
}

/** Whether a string is a valid slug: `a-z0-9` and single hyphens. */
export function isSlug(value: string): boolean {
  return value.length <= bounds.slug.max && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value);
}

/** What a tag must be, after "must be". */
export const tagBound = `${bounds.tag.min} to ${bounds.tag.max} characters of a-z, 0-9 and hyphens`;

/** Whether a string is a valid tag: `a-z0-9` and hyphens. */
export function isTag(value: string): boolean {
  return value.length <= bounds.tag.max && /^[a-z0-9-]+$/.test(value);
}

/** The tag that a filter asks for. Tags are in lower case, and filters take any. */
export function tagIn(filter: string): string {
  return filter.toLowerCase();
}

export function checkTagFilter(faults: Faults, tag: string): void {
  if (tag !== '' && !isTag(tag)) faults.add('tag', `must be ${tagBound}`);
}

const controls = /\p{Cc}/u;
const controlsButLines = /[^\P{Cc}\t\n\r]/u;

/** Whether a stored text has these fields already. It compares all of them, so that nobody can forget a new one. */
export function hasSame<Fields extends object>(before: Fields, after: Fields): boolean {
  return Object.entries(after).every(([name, value]) => isDeepStrictEqual(before[name as keyof Fields], value));
}

/** Compares the revision that a caller expects with the stored one. */
interface RevisionCheck {
  /** The stored revision; 0 if nothing is stored. */
  readonly stored: number;
  /** The revision that the caller has seen; 0 disables the check. */
  readonly expected: number;
  /** Whether the stored values are already equal to those of the request. */
  readonly same: boolean;
}

const aborted = 10;

/**
 * Allows a change if the stored revision is the one that the caller has seen. A caller that lost the response repeats
 * the call with the old revision. Then the stored revision is one higher, and the repeat succeeds if the values are
 * equal.
 *
 * @throws KnowledgeError `validation_error` for a negative revision; `invalid_state` with the gRPC status ABORTED for a
 * stale revision.
 */
export function checkRevision({ stored, expected, same }: RevisionCheck): void {
  if (expected < 0) throw new KnowledgeError('validation_error', 'expected_revision must be 0 or more.');
  if (expected === 0 || expected === stored || (same && expected === stored - 1)) return;
  const message =
    stored === 0
      ? `Revision ${expected} was expected, but there is none yet.`
      : `Revision ${expected} was expected, but it has revision ${stored}; read it again.`;
  throw staleRevision(message);
}

/** The error for a change that is based on an old revision: `invalid_state` with the gRPC status ABORTED. */
export function staleRevision(message: string): KnowledgeError {
  return new KnowledgeError('invalid_state', message, { grpcStatus: aborted });
}
