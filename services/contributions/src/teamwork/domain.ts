import { isUuid, KnowledgeError, refuse, refuseFaults, textFault } from '@knowledge/runtime';
import { requireFreshId } from '../base/text.js';

/** The largest number of notes about a contribution. */
export const maxNotes = 200;

/** A note about a contribution, which only moderators see. */
export interface Note {
  /** A UUID that the caller created. */
  id: string;
  contributionId: string;
  author: string;
  at: Date;
  text: string;
}

/** @throws KnowledgeError `validation_error`, or `not_found` for the id of no contribution. */
export function checkNote({ id, contributionId, text }: Note): void {
  requireFreshId(id);
  refuseFaults([textFault('text', text, { min: 1, max: 2_000 })]);
  if (!isUuid(contributionId)) throw new KnowledgeError('not_found', 'There is no contribution with this id.');
}

/** @throws KnowledgeError `validation_error` if another note has this id already. */
export function requireSameNote(stored: Note, { contributionId, author, text }: Note): Note {
  const same = stored.contributionId === contributionId && stored.author === author && stored.text === text;
  if (!same) refuse('Another note has this id; send a new one');
  return stored;
}

/** Says that somebody has a contribution open. It lapses unless it is renewed. */
export interface Presence {
  actor: string;
  since: Date;
  until: Date;
}

/** The time after which a presence lapses. */
export const presenceMs = 60_000;

/** The largest number of people who are shown for one contribution. */
export const maxPresent = 20;
