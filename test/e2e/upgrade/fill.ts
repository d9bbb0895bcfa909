import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PutObjectRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { askForAccess, consent, contribute, decide, freshEmail, newStory } from '../../harness/agent.js';
import { archiveArticle, putArticle } from '../../harness/articles.js';
import { call, freshReader } from '../../harness/http.js';
import { seedReading } from '../../harness/reading.js';
import { asTester, type System } from '../../harness/system.js';
import { until } from '../../harness/until.js';
import type { Known } from './stored.js';

/** Stores at least one document of every kind through the system. */
export async function fill(system: System): Promise<Known> {
  const { objectId } = await seedReading(system);
  const put = (slug: string, publishedAt?: Date) =>
    putArticle(system, { slug, publish: publishedAt !== undefined, publishedAt });
  await put('a-draft');
  await put('scheduled', new Date('2200-01-01T00:00:00Z'));
  await put('archived', new Date('2026-01-01T00:00:00Z'));
  await archiveArticle(system, 'archived');
  await withdrawObject(system);
  await askForAccess(system, freshEmail('pending'));
  const { token } = await consent(system);
  const { json } = await contribute(system, token, newStory());
  const id: string = json.contribution.id;
  await decide(system, id, Decision.APPROVE_AND_PUBLISH);
  await until('the object', async () => (await call(json.contribution.object_url)).status === 200);
  await contribute(system, token, newStory({ title: 'Waits for review' }));
  await call(`${system.url}/api/v1/content/field-note-1?site=org`, { headers: freshReader() });
  return { token, contributionId: id, objectId };
}

// Withdraws an object, since the record of a withdrawn object is stored in its own form.
async function withdrawObject({ clients: { editorial } }: System): Promise<void> {
  const object = { id: randomUUID(), kind: ObjectKind.KNOWLEDGE, site: Site.ORG, title: 'Wrong', body: 'Not so.' };
  await editorial.putObject(PutObjectRequest.fromPartial(object), asTester());
  await editorial.withdrawObject({ id: object.id, reason: 'wrong' }, asTester());
}
