import type { Site } from '@knowledge/runtime';
import { canonicalLanguage, codePoints, languageBound, withoutHiddenCharacters } from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';
import {
  checkAuthor,
  checkBody,
  checkMarkdown,
  checkReason,
  checkShown,
  checkSite,
  checkTime,
  collectFaults,
  type Faults,
  isUuid,
  type Unchecked,
} from './bounds.js';
import type { ObjectKind, ObjectPrompt } from './community-object.js';
import { excerpt } from './words.js';

/** The fields of an object that its author sets. */
export interface ObjectFacts {
  readonly id: string;
  readonly kind: ObjectKind;
  readonly site: Site;
  readonly title: string;
  /** A summary; if it is empty, the beginning of the body is used. */
  readonly summary: string;
  readonly author: string;
  /** A BCP 47 tag; empty if the language is unknown. */
  readonly language: string;
  readonly body: string;
  /**
   * The time of the first publication. If undefined, the stored time is kept, or a new object gets the
   * current time.
   */
  readonly publishedAt: Date | undefined;
}

/** The object that the contributions service sends to be published. */
export interface Publication extends ObjectFacts {
  /** The revision of the contribution. */
  readonly revision: number;
  readonly prompt: ObjectPrompt | undefined;
  /** When a moderator last edited the text. */
  readonly editedAt?: Date | undefined;
}

/** The request of the contributions service to retract an object. */
export interface Retraction {
  readonly id: string;
  readonly revision: number;
  readonly site: Site;
  readonly reason: string;
}

/**
 * Checks a knowledge object of an editor. Returns it with a summary, a canonical language and a body without hidden
 * characters.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkObjectPut(put: Unchecked<ObjectFacts, 'site' | 'kind'>): ObjectFacts {
  const faults = collectFaults();
  const facts = { ...put, site: checkSite(faults, put.site), kind: 'knowledge' as const };
  if (put.kind !== 'knowledge') faults.add('kind', 'must be knowledge; stories and replies come from contributions');
  checkFacts(faults, facts);
  checkMarkdown(faults, 'body', put.body);
  faults.throwIfAny();
  return completed(facts);
}

/**
 * Checks a publication. Returns it with a summary, a canonical language and a body without hidden characters.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkPublication(publication: Publication): Publication {
  const { kind, prompt } = publication;
  const faults = collectFaults();
  checkFacts(faults, publication);
  checkNumber(faults, publication.revision);
  if (kind === 'knowledge') faults.add('kind', 'must be story or prompt_reply');
  if (prompt !== undefined) {
    if (kind !== 'prompt_reply') faults.add('prompt', 'belongs to a prompt_reply only');
    const { max } = bounds.promptId;
    if (prompt.id === '' || codePoints(prompt.id) > max) faults.add('prompt.id', `must have 1 to ${max} characters`);
    checkShown(faults, 'prompt.question', prompt.question, { max: 2000, lines: true });
  }
  faults.throwIfAny();
  return completed(publication);
}

/** @throws KnowledgeError `validation_error` that lists every invalid field. */
export function checkRetraction(retraction: Retraction): Retraction {
  const faults = collectFaults();
  checkId(faults, retraction.id);
  checkNumber(faults, retraction.revision);
  checkReason(faults, retraction.reason);
  faults.throwIfAny();
  return retraction;
}

function checkFacts(faults: Faults, facts: ObjectFacts): void {
  checkId(faults, facts.id);
  checkShown(faults, 'title', facts.title, bounds.articleTitle);
  checkShown(faults, 'summary', facts.summary, { ...bounds.summary, lines: true });
  checkAuthor(faults, 'author', facts.author);
  if (facts.language !== '' && canonicalLanguage(facts.language) === undefined) faults.add('language', languageBound);
  checkBody(faults, 'body', facts.body);
  checkTime(faults, 'published_at', facts.publishedAt);
}

function checkId(faults: Faults, id: string): void {
  if (!isUuid(id)) faults.add('id', 'must be a UUID in lower case');
}

function checkNumber(faults: Faults, revision: number): void {
  if (!Number.isSafeInteger(revision) || revision < 1) faults.add('revision', 'must be 1 or more');
}

function completed<Facts extends ObjectFacts>(facts: Facts): Facts {
  const body = withoutHiddenCharacters(facts.body);
  const summary = facts.summary.trim() === '' ? excerpt(plainText(body, facts.title)) : facts.summary;
  return { ...facts, summary, body, language: canonicalLanguage(facts.language) ?? '' };
}
