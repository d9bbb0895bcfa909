import { isDeepStrictEqual } from 'node:util';
import {
  canonicalLanguage,
  containsAddress,
  type Fault,
  KnowledgeError,
  languageBound,
  refuse,
  refuseFaults,
  type Site,
  shownLineFault,
  type TextBounds,
  textFault,
  withoutHiddenCharacters,
} from '@knowledge/runtime';
import { markdownFault } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';

/** @throws KnowledgeError `validation_error` with this fault. */
export function check(isRight: boolean, fault: string): asserts isRight {
  if (!isRight) throw new KnowledgeError('validation_error', fault);
}

/** An input whose required fields may be missing. */
export type Unchecked<Put, Field extends keyof Put> = Omit<Put, Field> & {
  readonly [Name in Field]: Put[Name] | undefined;
};

/** The fault of a missing site. */
export function siteFault(site: Site | undefined): Fault {
  return site === undefined && 'site is required: io or org';
}

/** The fault of a short text of one line that readers see, such as a title. */
export function titleFault(field: string, value: string, textBounds: TextBounds): Fault {
  return shownLineFault(field, value, textBounds) || (value.includes('\t') && `${field} must not contain tabs`);
}

/** The fault of a Markdown body. It is required, and its length in UTF-8 bytes is limited. */
export function bodyFault(body: string): Fault {
  if (withoutHiddenCharacters(body).trim() === '') return 'body is required';
  if (Buffer.byteLength(body) > bounds.articleBytes)
    return `body must be at most ${bounds.articleBytes} bytes of UTF-8`;
  return body.includes('\0') && 'body must not contain NUL';
}

/** The fault of a body that an editor sends. What was accepted before is shown as far as it can be. */
export function markdownBodyFault(body: string): Fault {
  const fault = bodyFault(body);
  if (fault) return fault;
  const ofMarkdown = markdownFault(body);
  return ofMarkdown !== undefined && `body ${ofMarkdown}`;
}

/** The fault of a display name. It is not an e-mail address. */
export function authorFault(author: string): Fault {
  return (
    titleFault('author', author, bounds.name) ||
    (containsAddress(author) && 'author must be a name, not an e-mail address')
  );
}

/** The fault of a BCP 47 tag, which may be empty. */
export function languageFault(value: string): Fault {
  return value !== '' && canonicalLanguage(value) === undefined && `language ${languageBound}`;
}

/** The fault of an optional time. RFC 3339 must be able to express it. */
export function timeFault(field: string, value: Date | undefined): Fault {
  const year = value?.getUTCFullYear() ?? 1970;
  return !(year >= 1970 && year <= 9999) && `${field} must be a time from 1970 to 9999`;
}

export function reasonFault(reason: string): Fault {
  const fault = textFault('reason', reason, bounds.reason);
  return fault || (/[^\P{Cc}\t\n\r]/u.test(reason) && 'reason must not contain control characters');
}

/** @throws KnowledgeError `validation_error` for the reason of a change. */
export function requireReason(reason = ''): string {
  refuseFaults([reasonFault(reason)]);
  return reason;
}

export { isSlug } from '@knowledge/runtime/product';

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

export function tagFilterFault(tag: string): Fault {
  return tag !== '' && !isTag(tag) && `tag must be ${tagBound}`;
}

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
  if (expected < 0) refuse('expected_revision must be 0 or more');
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

const mostListed = 200;
const usuallyListed = 50;

/** The limit of a list of counts, or its usual one. */
export function checkLimit(limit: number) {
  check(limit >= 0 && limit <= mostListed, `limit must be 0 to ${mostListed}.`);
  return limit || usuallyListed;
}
