import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { allPages } from '@knowledge/runtime/testing';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { publication } from '../testing/put.js';
import { asEditor, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

const call = { requestId: 'reader' };

it('ends in the state of the highest revision, even if changes arrive repeatedly and in any order', async () => {
  const published = new Map<ObjectKind, number>();
  const steps = fc.array(fc.record({ revision: fc.integer({ min: 1, max: 6 }), twice: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  const property = fc.asyncProperty(
    steps,
    fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    fc.boolean(),
    async (sent, publishes, parallel) => {
      const id = randomUUID();
      // Each revision has one fixed kind. Between revisions a story may become a reply, which changes two counts.
      const kindOf = (revision: number) => (revision % 3 === 0 ? ObjectKind.PROMPT_REPLY : ObjectKind.STORY);
      const apply = async ({ revision }: { revision: number }): Promise<void> => {
        const { appliedRevision } = publishes[revision]
          ? await served.publication.publishObject(
              publication({ id, revision, kind: kindOf(revision), title: `Revision ${revision}` }),
              asEditor,
            )
          : await served.publication.retractObject({ id, revision, site: Site.ORG, reason: 'why' }, asEditor);
        expect(appliedRevision).toBeGreaterThanOrEqual(revision);
      };
      const all = sent.flatMap((step) => (step.twice ? [step, step] : [step]));
      if (parallel) await Promise.all(all.map(apply));
      else for (const step of all) await apply(step);

      const last = Math.max(...sent.map(({ revision }) => revision));
      const found = await served.content.getObject({ id }, call).catch((error: { code: string }) => error.code);
      if (publishes[last]) {
        published.set(kindOf(last), (published.get(kindOf(last)) ?? 0) + 1);
        expect(found).toMatchObject({ object: { entry: { title: `Revision ${last}`, kind: kindOf(last) } } });
      } else {
        expect(found).toBe('not_found');
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });

  for (const kind of [ObjectKind.STORY, ObjectKind.PROMPT_REPLY]) {
    const page = await served.content.listObjects({ site: Site.ORG, kind, pageSize: 200, pageToken: '' }, call);
    expect(page.total).toBe(published.get(kind) ?? 0);
    expect(page.entries).toHaveLength(page.total);
  }
});

it('stores no text of a retracted object', async () => {
  const id = randomUUID();
  const secret = `unique-${randomUUID()}`;
  const sent = publication({ id, title: secret, body: secret, author: secret, summary: secret });
  await served.publication.publishObject(sent, asEditor);
  await served.publication.retractObject({ id, revision: 2, site: Site.ORG, reason: 'asked' }, asEditor);
  for (const collection of await served.db.collections()) {
    expect(JSON.stringify(await collection.find().toArray())).not.toContain(secret);
  }
});

it('returns the prompt of a reply, and makes a summary', async () => {
  const id = randomUUID();
  const prompt = { id: 'p-1', question: 'What did you learn?' };
  const sent = publication({ id, kind: ObjectKind.PROMPT_REPLY, prompt, body: '# We **learned**\n\nmuch.' });
  await served.publication.publishObject(sent, asEditor);
  expect((await served.content.getObject({ id }, call)).object).toMatchObject({
    entry: { summary: 'We learned much.', publishedAt: new Date('2026-06-01T09:00:00Z'), site: Site.ORG },
    prompt,
  });
});

it('responds to a malformed id exactly as to an unknown id', async () => {
  const refused = { code: 'not_found', message: 'There is no published object of this id.' };
  for (const id of [randomUUID(), 'x', '', '$where', randomUUID().toUpperCase()])
    await expect(served.content.getObject({ id }, call)).rejects.toMatchObject(refused);
});

it('lists the catalog in list pages, newest first, then by id', async () => {
  const ids = Array.from({ length: 5 }, () => randomUUID()).sort();
  for (const id of ids) await served.publication.publishObject(publication({ id, site: Site.IO }), asEditor);
  const all = { site: Site.IO, kind: ObjectKind.UNSPECIFIED, pageSize: 2 };
  const pages = await allPages((pageToken) => served.content.listObjects({ ...all, pageToken }, call));
  expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
  expect(pages.flatMap(({ entries }) => entries.map((entry) => entry.id))).toEqual(ids);

  const [first = ''] = ids;
  for (const kind of [ObjectKind.UNSPECIFIED, ObjectKind.STORY]) {
    const request = { ...all, kind, pageToken: '', idPrefix: first.slice(0, 13) };
    const { entries } = await served.content.listObjects(request, call);
    expect(entries.map((entry) => entry.id)).toEqual([first]);
  }
});
