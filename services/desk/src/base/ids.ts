import { isUuid } from '@knowledge/runtime/client';
import { DeskError, UsageError } from './desk-error.js';
import type { Session } from './session.js';

/**
 * Finds the only item whose id begins with `word`.
 *
 * @throws UsageError if `word` cannot begin an id, or begins several; DeskError `not_found` if it begins none.
 */
export async function requireOnlyMatch<Thing>(
  word: string,
  find: (prefix: string) => Promise<readonly Thing[]>,
  idOf: (thing: Thing) => string,
  what: string,
): Promise<Thing> {
  const prefix = word.toLowerCase();
  if (!/^[0-9a-f][0-9a-f-]{3,35}$/.test(prefix)) {
    throw new UsageError(`${word} is not an id: give a UUID, or at least its first 4 characters.`);
  }
  const found = (await find(prefix)).filter((thing) => idOf(thing).startsWith(prefix));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length === 0) throw new DeskError('not_found', `No ${what} has an id that begins with ${word}.`);
  const few = found.slice(0, 4).map(idOf).join(', ');
  throw new UsageError(
    `${word} is the beginning of several ids (${few}${found.length > 4 ? ', …' : ''}); give more characters.`,
  );
}

/** Finds the id that begins with `word`. A complete id is returned unchanged; the service checks it later. */
export async function resolveId(
  word: string,
  find: (idPrefix: string) => Promise<readonly { readonly id: string }[]>,
  what: string,
): Promise<string> {
  if (isUuid(word)) return word;
  return (await requireOnlyMatch(word, find, ({ id }) => id, what)).id;
}

/**
 * Makes the function that finds an id by its first characters. It connects to the service first, so that a missing address is
 * the first fault that is reported.
 */
export function finder<Calls>(
  what: string,
  callsOf: (session: Session) => Calls,
  find: (calls: Calls, idPrefix: string) => Promise<readonly { readonly id: string }[]>,
) {
  return (session: Session, word: string) => {
    const calls = callsOf(session);
    return resolveId(word, (idPrefix) => find(calls, idPrefix), what);
  };
}

/** A page of a list in which an id is looked for. */
export const few = { pageSize: 10, pageToken: '' };

/** A contribution with the revision that is shown. What is decided is a text, not a name. */
export function atRevision({ id, revision }: { readonly id: string; readonly revision: number }): string {
  return `${id}@${revision}`;
}

/** Shortens the id of `ID@revision` for people; commands take it. */
export function shortId(word: string): string {
  return word.slice(0, 8) + word.slice(36);
}

/** Reads `ID@revision`, or an id alone, whose revision is 0. */
export function readAtRevision(word: string): { id: string; revision: number } {
  const [, id = word, revision = '0'] = /^(.*)@([1-9]\d{0,14})$/.exec(word) ?? [];
  return { id, revision: Number(revision) };
}

/** Finds the ids that begin with these words, without duplicates. */
export async function resolveIds(
  words: readonly string[],
  idOf: (word: string) => Promise<string>,
): Promise<readonly string[]> {
  return distinct(await Promise.all(distinct(words).map(idOf)));
}

export const idHelp = 'its id, or its first characters (at least 4), if no other id begins with them';

/** The help for a contribution, of which lists print `ID@revision`. */
export const idAtHelp = `${idHelp}; ID@revision as it is printed, to decide about that text alone`;

export const idsHelp = 'their ids, or the first characters of each (at least 4), if no other id begins with them';

export const idsAtHelp = `${idsHelp}; ID@revision as it is printed, to decide about that text alone`;

/** Removes duplicates and keeps the order. */
export function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}
