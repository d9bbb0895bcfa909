import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { PutGlossRequest } from '@knowledge/proto/knowledge/content/v1/search';
import { afterAll, expect, it } from 'vitest';
import { articleText as article, glossPut, objectPut, publication } from '../testing/put.js';
import { asEditor, moved, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

it('keeps a gloss over new revisions and archiving of its text', async () => {
  const { searchWords, editorial } = served;
  await served.put('deutsch', { language: 'de', publish: true });
  const text = article('deutsch');
  await expect(searchWords.getGloss({ text }, asEditor)).rejects.toMatchObject({ code: 'not_found' });
  expect((await searchWords.putGloss(glossPut(text, 'A title'), asEditor)).outcome).toBe(PutOutcome.CREATED);
  expect((await searchWords.putGloss(glossPut(text, 'A title'), asEditor)).outcome).toBe(PutOutcome.UNCHANGED);
  await served.put('deutsch', { language: 'de', title: 'Neu', publish: true });
  await editorial.archiveArticle(moved('deutsch'), asEditor);
  expect(await searchWords.getGloss({ text }, asEditor)).toMatchObject({
    gloss: { title: 'A title', summary: 'English.' },
    updatedBy: 'editor@test',
    writtenForRevision: 1,
    textRevision: 3,
  });
  expect((await served.record('deutsch'))?.history).toHaveLength(3);
  const check = glossPut(text, undefined, { validateOnly: true });
  expect((await searchWords.putGloss(check, asEditor)).outcome).toBe(PutOutcome.UPDATED);
  await searchWords.putGloss(glossPut(text, undefined), asEditor);
  await expect(searchWords.getGloss({ text }, asEditor)).rejects.toMatchObject({ code: 'not_found' });
});

it('deletes a gloss with its text', async () => {
  const { searchWords, editorial, publication: publications, db } = served;
  await served.put('entwurf', { language: 'de' });
  const [own, theirs] = [randomUUID(), randomUUID()];
  await editorial.putObject({ ...objectPut({ id: own, language: 'fr' }), reason: '', validateOnly: false }, asEditor);
  await publications.publishObject(publication({ id: theirs, language: 'pl' }), asEditor);
  const texts = [
    article('entwurf'),
    { $case: 'objectId' as const, value: own },
    { $case: 'objectId' as const, value: theirs },
  ];
  for (const text of texts) await searchWords.putGloss(glossPut(text, 'To be deleted'), asEditor);
  const countIn = (name: string) => db.collection(name).countDocuments({ 'gloss.title': 'To be deleted' });
  const count = async () => (await countIn('articles')) + (await countIn('objects'));
  expect(await count()).toBe(3);
  await editorial.deleteArticle(moved('entwurf'), asEditor);
  await editorial.withdrawObject({ id: own, reason: '' }, asEditor);
  await publications.retractObject({ id: theirs, site: Site.ORG, revision: 2, reason: '' } as never, asEditor);
  expect(await count()).toBe(0);
  for (const text of texts) {
    const late = searchWords.putGloss(glossPut(text, 'Too late'), asEditor);
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
  }
});

it('refuses a gloss of an English text, of no text, and one that is too long', async () => {
  const { searchWords } = served;
  await served.put('english');
  const refuse = (put: PutGlossRequest, code: string) =>
    expect(searchWords.putGloss(put, asEditor)).rejects.toMatchObject({ code });
  await refuse(glossPut(article('english'), 'A title'), 'validation_error');
  await refuse(glossPut(undefined, 'A title'), 'validation_error');
  await refuse(glossPut(article('deutsch'), 'x'.repeat(201)), 'validation_error');
  await refuse(glossPut(article('Not a slug'), 'A title'), 'not_found');
  await refuse(glossPut({ $case: 'objectId', value: 'no-id' }, 'A title'), 'not_found');
});
