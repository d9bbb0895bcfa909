import {
  type Attribution,
  canonicalLanguage,
  type Fault,
  isUuid,
  KnowledgeError,
  readingTokens,
  refuseFaults,
  type Site,
  shownFault,
  textFault,
  withoutHiddenCharacters,
} from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import { bounds, communityTexts, inSeries, publicTypes } from '@knowledge/runtime/product';
import {
  authorFault,
  bodyFault,
  hasSame,
  languageFault,
  markdownBodyFault,
  reasonFault,
  siteFault,
  timeFault,
  titleFault,
  type Unchecked,
} from '../base/bounds.js';
import { excerpt } from '../base/words.js';
import type {
  ObjectChange,
  ObjectEntry,
  ObjectOutcome,
  ObjectPrompt,
  PublishedObject,
  StoredObject,
  Tombstone,
} from './domain.js';

/** Creates or changes a knowledge object of the editors, and publishes it. */
export function decideObjectPut(
  before: StoredObject | undefined,
  put: ObjectFacts,
  act: Attribution,
): ObjectOutcome<PublishedObject, PublishedObject> {
  refuseOtherSource(before, 'editorial');
  refuseOtherSite(before, put);
  const publishedAt = put.publishedAt ?? before?.publishedAt ?? act.at;
  const revision = (before?.revision ?? 0) + 1;
  const decided = publish(before, { ...put, publishedAt, prompt: undefined }, revision, 'editorial', act);
  const { revision: _, updatedAt: __, readingTokens: ___, ...after } = decided.object;
  const same = before?.state === 'published' && hasSame<typeof after>(before, after);
  return same ? { outcome: 'unchanged', object: before } : decided;
}

/** Withdraws a knowledge object of the editors. A withdrawn object does not change. */
export function decideObjectWithdrawal(before: StoredObject | undefined, act: Attribution): ObjectOutcome<Tombstone> {
  if (before === undefined) throw new KnowledgeError('not_found', 'There is no such object.');
  refuseOtherSource(before, 'editorial');
  if (before.state === 'retracted') return { outcome: 'unchanged', object: before };
  return retract(before, { id: before.id, site: before.site }, before.revision + 1, 'editorial', act);
}

/** Publishes a contribution if its revision is higher than the last applied one. */
export function decidePublication(
  before: StoredObject | undefined,
  publication: Publication,
  act: Attribution,
): ObjectOutcome<PublishedObject> {
  refuseOtherSource(before, 'contribution');
  if (before !== undefined && before.revision >= publication.revision) return { outcome: 'unchanged', object: before };
  refuseOtherSite(before, publication);
  const publishedAt = publication.publishedAt ?? before?.publishedAt ?? act.at;
  return publish(before, { ...publication, publishedAt }, publication.revision, 'contribution', act);
}

/** Retracts a contribution if its revision is higher than the last applied one. */
export function decideRetraction(
  before: StoredObject | undefined,
  { id, site, revision }: Retraction,
  act: Attribution,
): ObjectOutcome<Tombstone> {
  refuseOtherSource(before, 'contribution');
  if (before !== undefined && before.revision >= revision) return { outcome: 'unchanged', object: before };
  return retract(before, { id, site: before?.site ?? site }, revision, 'contribution', act);
}

function publish(
  before: StoredObject | undefined,
  facts: Omit<ObjectFacts, 'publishedAt'> & Pick<PublishedObject, 'publishedAt' | 'prompt' | 'editedAt'>,
  revision: number,
  source: PublishedObject['source'],
  act: Attribution,
): ObjectChange<PublishedObject> {
  const size = readingTokens(facts.body);
  const object = { ...facts, state: 'published', source, revision, updatedAt: act.at, readingTokens: size } as const;
  return changed(before, object, act);
}

function retract(
  before: StoredObject | undefined,
  { id, site }: Pick<Tombstone, 'id' | 'site'>,
  revision: number,
  source: Tombstone['source'],
  act: Attribution,
): ObjectChange<Tombstone> {
  const facts = { source, revision, updatedAt: act.at, publishedAt: before?.publishedAt };
  return changed(before, { id, site, state: 'retracted', ...facts }, act);
}

function changed<After extends StoredObject>(
  before: StoredObject | undefined,
  object: After,
  act: Attribution,
): ObjectChange<After> {
  const { state: to, revision } = object;
  const transition = { ...act, from: before?.state ?? '', to, revision };
  return { outcome: before === undefined ? 'created' : 'updated', before, object, transition };
}

function refuseOtherSource(before: StoredObject | undefined, source: StoredObject['source']) {
  if (before === undefined || before.source === source) return;
  const message =
    source === 'editorial'
      ? 'The id belongs to a contribution; moderators change and retract it.'
      : 'The id belongs to an object of the editors.';
  throw new KnowledgeError('invalid_state', message);
}

// Caches store objects by site. So an object must be withdrawn on one site before another site shows it.
function refuseOtherSite(before: StoredObject | undefined, { site }: { site: StoredObject['site'] }) {
  if (before?.state !== 'published' || before.site === site) return;
  throw new KnowledgeError('invalid_state', `The object is published on ${before.site}; withdraw it there first.`);
}

/** The fields of an object that its author sets. If the summary is empty, the beginning of the body is used. */
export interface ObjectFacts
  extends Pick<ObjectEntry, 'id' | 'kind' | 'site' | 'title' | 'summary' | 'author' | 'language'> {
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
interface Retraction {
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
  // Without a site nothing is stored.
  const { site = 'org' } = put;
  refuseFaults([
    siteFault(put.site),
    put.kind !== 'knowledge' && `kind must be knowledge; ${communityTexts} come from contributions`,
    ...faultsOf(put, markdownBodyFault),
  ]);
  return completed({ ...put, site, kind: 'knowledge' });
}

/**
 * Checks a publication. Returns it with a summary, a canonical language and a body without hidden characters.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkPublication(publication: Publication): Publication {
  const { kind, prompt } = publication;
  refuseFaults([
    ...faultsOf(publication, bodyFault),
    revisionFault(publication.revision),
    kind === 'knowledge' && `kind must be ${inSeries(publicTypes, 'or')}`,
    ...(prompt === undefined
      ? []
      : [
          kind !== 'prompt_reply' && 'prompt belongs to a prompt_reply only',
          textFault('prompt.id', prompt.id, { ...bounds.promptId, min: 1 }),
          shownFault('prompt.question', prompt.question, { max: 2000 }),
        ]),
  ]);
  return completed(publication);
}

/** @throws KnowledgeError `validation_error` that lists every invalid field. */
export function checkRetraction(retraction: Retraction): Retraction {
  const { id, revision, reason } = retraction;
  refuseFaults([idFault(id), revisionFault(revision), reasonFault(reason)]);
  return retraction;
}

function faultsOf(facts: Omit<ObjectFacts, 'site' | 'kind'>, ofBody: (body: string) => Fault) {
  return [
    idFault(facts.id),
    titleFault('title', facts.title, bounds.articleTitle),
    shownFault('summary', facts.summary, bounds.summary),
    authorFault(facts.author),
    languageFault(facts.language),
    ofBody(facts.body),
    timeFault('published_at', facts.publishedAt),
  ];
}

function idFault(id: string): Fault {
  return !isUuid(id) && 'id must be a UUID in lower case';
}

function revisionFault(revision: number): Fault {
  return (!Number.isSafeInteger(revision) || revision < 1) && 'revision must be 1 or more';
}

function completed<Facts extends ObjectFacts>(facts: Facts): Facts {
  const body = withoutHiddenCharacters(facts.body);
  const summary = facts.summary.trim() === '' ? excerpt(plainText(body, facts.title)) : facts.summary;
  return { ...facts, summary, body, language: canonicalLanguage(facts.language) ?? '' };
}
