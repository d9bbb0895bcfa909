import { type Attribution, KnowledgeError, refuseFaults, type Transition } from '@knowledge/runtime';
import { check, hasSame, isSlug, titleFault } from '../base/bounds.js';
import type { SynonymWords } from '../base/search-words.js';
import { hasOnlyStopWords } from '../search/analysis/analyse.js';

/** A group that an editor sends. */
export interface SynonymPut extends SynonymWords {
  readonly id: string;
}

/** A group of synonyms that editors keep. */
export interface Synonym extends SynonymPut {
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The limits of the list and of one group. Search holds all groups in memory. */
export const synonymBounds = {
  groups: 1_000,
  words: 30,
  from: 10,
  word: { min: 1, max: 80 },
} as const;

/**
 * Checks a group. Returns it with each word trimmed and in Unicode form NFC.
 *
 * @throws KnowledgeError `validation_error` that lists every fault.
 */
export function checkSynonym({ id, words, from }: SynonymPut): SynonymPut {
  const least = from.length > 0 ? 1 : 2;
  const checked = {
    words: words.slice(0, synonymBounds.words).map(clean),
    from: from.slice(0, synonymBounds.from).map(clean),
  };
  const seen = new Set<string>();
  const wordFault = (field: string, word: string) => {
    const before = seen.size;
    const isAgain = seen.add(clean(word).toLowerCase()).size === before;
    return [titleFault(field, word, synonymBounds.word), isAgain && `${field} names a word of the group again`];
  };
  refuseFaults([
    !isSlug(id) && 'id must have 1 to 80 characters of a-z, 0-9 and single hyphens',
    (words.length < least || words.length > synonymBounds.words) &&
      `words must be ${least} to ${synonymBounds.words} words or phrases`,
    from.length > synonymBounds.from && `from must be at most ${synonymBounds.from} words or phrases`,
    ...words.slice(0, synonymBounds.words).flatMap((word, at) => wordFault(`words[${at}]`, word)),
    ...from.slice(0, synonymBounds.from).flatMap((word, at) => wordFault(`from[${at}]`, word)),
    words.length >= least &&
      checked.words.every(hasOnlyStopWords) &&
      'words must not all be stop words such as "the", by which no text is found',
  ]);
  return { id, ...checked };
}

/** Decides a put. An equal group stays as it is, so a repeated call writes nothing. */
export function decideSynonymPut(before: Synonym | undefined, put: SynonymPut, act: Attribution) {
  if (before !== undefined && hasSame(before, put)) return { outcome: 'unchanged', synonym: before } as const;
  const revision = (before?.revision ?? 0) + 1;
  const synonym: Synonym = { createdAt: act.at, ...before, ...put, revision, updatedAt: act.at, updatedBy: act.actor };
  const transition: Transition = { ...act, from: before === undefined ? '' : 'set', to: 'set', revision };
  return { outcome: before === undefined ? 'created' : 'updated', synonym, transition } as const;
}

/**
 * Decides puts in their order. A group that is refused stops no other.
 *
 * @returns for each what was decided, or the error.
 */
export function decideSynonymPuts(
  { stored, groups }: { readonly stored: readonly Synonym[]; readonly groups: number },
  puts: readonly SynonymPut[],
  act: Attribution,
) {
  const now = new Map(stored.map((each) => [each.id, each]));
  let count = groups;
  return puts.map((sent) => {
    try {
      const put = checkSynonym(sent);
      const decided = decideSynonymPut(now.get(put.id), put, act);
      if (decided.outcome === 'created') requireRoom(count++);
      now.set(put.id, decided.synonym);
      return decided;
    } catch (error) {
      if (error instanceof KnowledgeError) return { outcome: 'refused', error } as const;
      throw error;
    }
  });
}

export type SynonymDecision = ReturnType<typeof decideSynonymPuts>[number];

/** @throws KnowledgeError `not_found` if there is no such group. */
export function decideSynonymRemoval(before: Pick<Synonym, 'revision'> | undefined, act: Attribution): Transition {
  if (before === undefined) throw new KnowledgeError('not_found', 'There is no such group of synonyms.');
  return { ...act, from: 'set', to: 'deleted', revision: before.revision + 1 };
}

/** @throws KnowledgeError `validation_error` if the list is full. */
export function requireRoom(groups: number) {
  const most = synonymBounds.groups;
  check(groups < most, `There are ${most.toLocaleString('en')} groups of synonyms, and no more are possible.`);
}

function clean(word: string) {
  return word.trim().normalize();
}
