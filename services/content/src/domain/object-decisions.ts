import { isDeepStrictEqual } from 'node:util';
import type { Attribution } from '@knowledge/runtime';
import { KnowledgeError, readingTokens } from '@knowledge/runtime';
import type { ObjectOutcome, PublishedObject, StoredObject, Tombstone } from './community-object.js';
import type { ObjectFacts, Publication, Retraction } from './object-input.js';

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
  const same = before?.state === 'published' && isSame(before, decided.object);
  return same ? { outcome: 'unchanged', object: before } : decided;
}

/** Withdraws a knowledge object of the editors. A withdrawn object does not change. */
export function decideObjectWithdrawal(
  before: StoredObject | undefined,
  act: Attribution,
): ObjectOutcome<StoredObject, Tombstone> {
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
): ObjectOutcome<StoredObject, PublishedObject> {
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
): ObjectOutcome<StoredObject, Tombstone> {
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
): Exclude<ObjectOutcome<never, PublishedObject>, { outcome: 'unchanged' }> {
  const { id, kind, site, title, summary, author, language, body, publishedAt, prompt, editedAt } = facts;
  return {
    outcome: before === undefined ? 'created' : 'updated',
    before,
    object: {
      id,
      kind,
      site,
      title,
      summary,
      author,
      language,
      body,
      publishedAt,
      prompt,
      editedAt,
      state: 'published',
      source,
      revision,
      updatedAt: act.at,
      readingTokens: readingTokens(body),
    },
    transition: { ...act, from: before?.state ?? '', to: 'published', revision },
  };
}

function retract(
  before: StoredObject | undefined,
  { id, site }: Pick<Tombstone, 'id' | 'site'>,
  revision: number,
  source: Tombstone['source'],
  act: Attribution,
): ObjectOutcome<never, Tombstone> {
  return {
    outcome: before === undefined ? 'created' : 'updated',
    before,
    object: { id, site, state: 'retracted', source, revision, updatedAt: act.at, publishedAt: before?.publishedAt },
    transition: { ...act, from: before?.state ?? '', to: 'retracted', revision },
  };
}

function refuseOtherSource(before: StoredObject | undefined, source: StoredObject['source']): void {
  if (before === undefined || before.source === source) return;
  const message =
    source === 'editorial'
      ? 'The id belongs to a contribution; moderators change and retract it.'
      : 'The id belongs to an object of the editors.';
  throw new KnowledgeError('invalid_state', message);
}

// Caches store objects by site. So an object must be withdrawn on one site before another site shows it.
function refuseOtherSite(before: StoredObject | undefined, { site }: { site: StoredObject['site'] }): void {
  if (before?.state !== 'published' || before.site === site) return;
  throw new KnowledgeError('invalid_state', `The object is published on ${before.site}; withdraw it there first.`);
}

// Compares all fields except those that the service makes, so that nobody can forget to add a new field here.
function isSame(
  before: PublishedObject,
  { revision: _, updatedAt: __, readingTokens: ___, ...after }: PublishedObject,
): boolean {
  return Object.entries(after).every(([name, value]) => isDeepStrictEqual(before[name as keyof typeof after], value));
}
