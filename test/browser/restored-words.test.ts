import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PutObjectRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putBare } from '../harness/articles.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';
import type { Visitor } from '../harness/visitor.js';
import { browsersHere } from '../harness/visitors.js';
import { startDeskWindows } from './desk-windows.js';

const { system, desk, send } = await startDeskWindows();
const bea = await desk.signIn('bea', 'editor', 'moderator');

/** A form with a long text: where it is, what Ada types, and what Bea saves meanwhile. */
interface Form {
  readonly path: string;
  readonly action?: string;
  /** What must be pressed before the field shows. */
  readonly opens?: string;
  readonly field: string;
  readonly others?: Readonly<Record<string, string>>;
  readonly save: string;
  readonly beas: Readonly<Record<string, string>>;
}

const forms: Readonly<Record<string, () => Promise<Form>>> = {
  'a change at once': async () => {
    const path = `/articles/org/${await article()}/edit`;
    return { path, field: '#body', save: '[value=save]', beas: { title: 'Weeks', body: beasWords, act: 'save' } };
  },
  'the next revision': async () => {
    const path = `/articles/org/${await article()}/next`;
    return { path, field: '#body', save: '[value=save]', beas: { title: 'Weeks', body: beasWords, act: 'save' } };
  },
  'an object': async () => {
    const id = randomUUID();
    const object = { id, site: Site.ORG, kind: ObjectKind.KNOWLEDGE, title: 'Weeks', body: 'As it was first.' };
    await system.clients.editorial.putObject(PutObjectRequest.fromPartial(object), asTester());
    const beas = { site: 'org', title: 'Weeks', body: beasWords, act: 'save' };
    return { path: `/articles/objects/${id}/edit`, field: '#body', save: '[value=save]', beas };
  },
  'the notes of highlights': async () => {
    const [path, slug] = ['/articles/highlights/org', await article('publish')];
    const list = async () => bea.get(path);
    await bea.submit(await list(), path, { [`title-${slug}`]: 'Weeks', [`note-${slug}`]: 'First.', act: 'save' });
    const beas = { [`title-${slug}`]: 'Weeks', [`note-${slug}`]: beasWords, act: 'save' };
    return { path, field: `#note-${slug}`, save: '[value=save]', beas };
  },
  'an edit in the queue': async () => {
    const path = `/queue/${await send('A story', { body: `What came of it, by Jo: ${randomUUID()}.` })}`;
    return {
      ...{ path, action: `${path}/edit`, opens: 'summary[data-key=e]', field: '#edit-body' },
      ...{ others: { '#edit-reason': 'A typing error.' }, save: 'form:has(#edit-body) button:enabled' },
      beas: { title: 'A story', text: beasWords, reason: 'Their name must go.' },
    };
  },
};
const beasWords = 'What Bea wrote meanwhile.';
const adasWords = 'What Ada typed before.';
/** What the desk says when somebody else was faster. */
const refusal = /Nothing was stored|saved another list meanwhile|you saw revision/;

type Visit = readonly [name: string, open: (hasScripts: boolean) => Promise<Visitor>, hasScripts: boolean];
const visits = browsersHere().flatMap(([name, open]): Visit[] => {
  const withScripts: Visit = [name, open, true];
  return name === 'Chromium' ? [withScripts, [`${name} without scripts`, open, false]] : [withScripts];
});

describe.each(visits)('%s', (name, open, hasScripts) => {
  let ada: Visitor;
  beforeAll(async () => {
    ada = await open(hasScripts);
    await ada.goto(await desk.signInLink('ada', 'editor', 'moderator'));
    await ada.click('main button');
  });
  afterAll(() => ada?.close());

  test.each(Object.entries(forms))('puts no typed words over those of a colleague, in %s', async (_what, make) => {
    const { path, action = path, opens, field, others = {}, save, beas } = await make();
    await ada.goto(`${desk.url}${path}`);
    if (opens !== undefined) await ada.click(opens);
    for (const [each, text] of Object.entries({ [field]: adasWords, ...others })) await ada.fill(each, text);
    await ada.goto(`${desk.url}/signed-in`);
    expect((await bea.submit(await bea.get(path), action, beas)).status).toBe(303);
    await ada.back();
    // Firefox puts nothing back into a page that nobody may keep; our script does so in the forms of editors.
    const isBack = name !== 'Firefox' || opens === undefined;
    await until('the words', async () => (await ada.read(field, 'value')) === (isBack ? adasWords : beasWords));
    if (!isBack) return;
    if (opens !== undefined) await ada.click(opens);
    for (const [other, text] of Object.entries(others)) await ada.fill(other, text);
    await ada.click(save);
    await until('the refusal', async () => refusal.test(await ada.read('main', 'textContent')));
    expect((await bea.get(path)).text).toContain(beasWords);
  });

  test('has everything as typed after a preview and Back', async () => {
    const typed = { '#title': 'Another title', '#tags': 'one, two', '#body': adasWords };
    await ada.goto(`${desk.url}/articles/org/${await article()}/edit`);
    for (const [field, text] of Object.entries(typed)) await ada.fill(field, text);
    await ada.click('[value=preview]');
    await until('the preview', async () => (await ada.read('main', 'textContent')).includes('As JSON'));
    await ada.back();
    for (const [field, text] of Object.entries(typed)) expect(await ada.read(field, 'value')).toBe(text);
  });

  test('stores and publishes nothing at Enter in a line', async () => {
    const slug = await article();
    const path = `/articles/org/${slug}`;
    await ada.goto(`${desk.url}${path}/edit`);
    await ada.fill('#body', adasWords);
    await ada.fill('#tags', 'one');
    await ada.press('Enter');
    await until('the preview', async () => (await ada.read('main', 'textContent')).includes('As JSON'));
    expect((await bea.get(path)).text).not.toContain(adasWords);
    const next = await bea.get(`${path}/next`);
    await bea.submit(next, `${path}/next`, { title: 'Weeks', body: beasWords, act: 'save' });
    await ada.goto(`${desk.url}${path}/next`);
    await ada.fill('#publish-reason', 'Not yet.');
    await ada.press('Enter');
    // Had it been sent, this page would be gone by the next question to the browser, or soon.
    await ada.fill('#reason', 'Another field.');
    await ada.press('Enter');
    await until('the preview', async () => (await ada.read('main', 'textContent')).includes('As JSON'));
    expect((await bea.get(path)).text).not.toContain(beasWords);
  });
});

/** Writes an article, and returns its slug. */
async function article(publish?: 'publish'): Promise<string> {
  const slug = `weeks-${randomUUID().slice(0, 8)}`;
  await putBare(system, slug, { title: 'Weeks', body: 'As it was first.', publish: publish !== undefined });
  return slug;
}
