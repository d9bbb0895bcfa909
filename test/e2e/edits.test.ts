import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { expect, test } from 'vitest';
import {
  accessPageLink,
  consent,
  contribute,
  decide,
  mailWith,
  newStory,
  recordOf,
  sendJson,
  submitForm,
} from '../harness/agent.js';
import { bearer, call, expectPage, expectWords } from '../harness/http.js';
import { asTester, sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();

/** A story in review, with what its agent, its human, readers and moderators do with it. */
async function story(fields: Record<string, unknown> = {}) {
  const { token, email } = await consent(system);
  const sent = newStory({ title: 'Nine weeks', body: 'It took nine weeks, said Jo.', name: 'Omar H.', ...fields });
  const id: string = (await contribute(system, token, sent)).json.contribution.id;
  const key = await accessPageLink(system, email);
  const form = key.replace('/access?', '/access/work?');
  const read = async (path: string, accept: string) =>
    (await call(`${system.url}${path}`, { headers: { accept } })).text;
  const object = async () => (await call(`${system.url}/api/v1/objects/${id}`)).json.object;
  return {
    ...{ id, key, email, object },
    own: async () =>
      (await call(`${system.url}/api/v1/contributions/${id}`, { headers: bearer(token) })).json.contribution,
    publish: async () => {
      // Without a look, a text that its human changed is not published.
      await recordOf(system, id);
      await decide(system, id, Decision.APPROVE_AND_PUBLISH);
      await until('the object', async () => (await object()) !== undefined);
    },
    edit: (part: { title?: string; body?: string; name?: string; remove?: string[]; forgetBefore?: boolean }) => {
      const nothing = { id, expectedRevision: 0, reason: 'A reason.', forgetBefore: false, remove: [] };
      return system.clients.moderation.editContribution({ ...nothing, ...part }, asTester());
    },
    /** The revision of the edit that a moderator proposed. */
    proposed: async () => String((await recordOf(system, id))?.contribution?.proposedEdit?.revision),
    mail: (subject: string) => mailWith(system, email, subject),
    /** Presses a button of the human's own page, as the page shows it. */
    press: async (action: string, page = key) => {
      const shown = (await call(page)).text;
      const inForm = new RegExp(
        `<input type="hidden" name="id" value="${id}">(?:<input type="hidden" name="revision" value="(\\d+)">)?(?:(?!</form>).)*value="${action}"`,
        's',
      );
      const [found, revision = ''] = inForm.exec(shown) ?? [];
      if (found === undefined) throw new Error(`The page has no ${action}.`);
      return submitForm(form, { id, revision, do: action });
    },
    send: (fields: Record<string, string>) => submitForm(form, { id, ...fields }),
    /** What readers get: JSON, page, Markdown, feed, catalog and MCP. */
    everywhere: async () => {
      const params = { name: 'read_object', arguments: { id } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const mcp = await sendJson('POST', `${system.url}/mcp`, message, { accept: 'application/json' });
      const catalog = (await call(`${system.url}/api/v1/objects/catalog?site=org`)).json.entries;
      const feed = await read('/feed.xml?site=org', '*/*');
      return {
        json: JSON.stringify(await object()),
        page: await read(`/objects/${id}`, 'text/html'),
        markdown: await read(`/objects/${id}`, 'text/markdown'),
        catalog: JSON.stringify(catalog.find((each: { id: string }) => each.id === id)),
        feed: feed.split('<entry').find((each) => each.includes(id)) ?? '',
        mcp: mcp.text,
      };
    },
  };
}

const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const whenEdited = (shown: Record<string, string>) => ({
  json: /"edited_at":"\d{4}/.test(shown['json'] ?? ''),
  page: new RegExp(`Edited by a moderator on <time[^>]*>${today}`).test(shown['page'] ?? ''),
  markdown: /^edited_at: "\d{4}/m.test(shown['markdown'] ?? ''),
  catalog: /"edited_at":"\d{4}/.test(shown['catalog'] ?? ''),
  feed: (shown['feed'] ?? '').includes(`Edited by a moderator on ${today}.`),
  mcp: /edited_at\\?":\s?\\?"\d{4}/.test(shown['mcp'] ?? ''),
});

test('an edit of a published text waits for its human: mail and page show the difference, and it goes live with a yes', async () => {
  const { publish, edit, everywhere: shown, own, object, mail, press, key, id } = await story();
  await publish();
  const before = await shown();
  await edit({ body: 'It took nine long weeks, said Jo.', title: 'Nine long weeks' });
  const asked = await mail('A moderator proposes an edit of your story');
  const text = (asked.text ?? '').replace(/\s+/g, ' ');
  expectWords(text, 'Nothing changes without your yes', 'A reason.', '{+long +}', `&shown=${id}#sent-${id}`);
  expect(await shown()).toEqual(before);
  expect(Object.values(whenEdited(before))).not.toContain(true);
  expect(await own()).toMatchObject({
    ...{ title: 'Nine weeks', text_changes: [] },
    proposed_edit: { reason: 'A reason.', text: { title: 'Nine long weeks', name: 'Omar H.' } },
  });
  const page = (await call(key)).text;
  expectWords(page, '<ins>long </ins>', 'A moderator proposed an edit');

  expectPage(await press('accept_edit'), 200, '✓ Changed.');
  await until('the new words', async () => (await object()).title === 'Nine long weeks');
  await until('the same words everywhere', async () => {
    const now = await shown();
    return Object.values(now).every((each) => each.includes('long')) && Object.values(whenEdited(now)).every(Boolean);
  });
  expect(await own()).toMatchObject({
    proposed_edit: null,
    text_changes: [{ by: 'moderator', fields: ['title', 'body'] }],
  });
  const after = (await call(key)).text;
  expect(after).toContain('You agreed to the edit');
  expect(after).not.toContain('value="undo_edit"');
});

test('an edit that its human refuses, or that is outdated, changes nothing', async () => {
  const { publish, edit, own, object, press, send, proposed, id } = await story();
  await publish();
  await edit({ title: 'A first proposal' });
  const revision = await proposed();
  await edit({ title: 'A second proposal' });
  expectPage(await send({ do: 'accept_edit', revision }), 409, 'It has changed since you opened your page.');
  for (const wrong of ['', '0', '-1', '1e9', 'x', '99999999999999999999']) {
    expect((await send({ do: 'accept_edit', revision: wrong })).status).toBe(409);
  }
  const stranger = await story();
  const theirs = stranger.key.replace('/access?', '/access/work?');
  expect((await submitForm(theirs, { id, do: 'accept_edit', revision })).status).toBe(404);
  expectPage(await press('decline_edit'), 200, 'Your text stays as it is.');
  expect(await own()).toMatchObject({ title: 'Nine weeks', proposed_edit: null, text_changes: [] });
  const refused = String(Number(revision) + 1);
  expect((await send({ do: 'decline_edit', revision: refused })).status).toBe(200);
  expect((await send({ do: 'accept_edit', revision: refused })).status).toBe(409);

  await edit({ title: 'A third proposal' });
  expect((await press('take_down')).status).toBe(200);
  await until('the object to go', async () => (await object()) === undefined);
  expect(await own()).toMatchObject({ state: 'retracted', title: 'Nine weeks', proposed_edit: null });
  const again = edit({ title: 'A fourth proposal' });
  await expect(again).rejects.toMatchObject({ code: 'invalid_state' });
});

test('its human undoes an edit that came before the publication, and the words of the agent wait for a moderator again', async () => {
  const { publish, edit, object, own, mail, press, key } = await story();
  await edit({ body: 'It took ten weeks, said Jo.' });
  await edit({ name: '' });
  await publish();
  const told = (await mail('Your story is published')).text ?? '';
  expect(told.replace(/\s+/g, ' ')).toMatch(/A moderator edited it on .*\[-nine-\]\{\+ten\+\}.*Undo the edits/);
  expect((await call(key)).text).toMatch(/What moderators edited, 2 times.*<del>nine<\/del><ins>ten<\/ins>/s);
  expectPage(await press('undo_edit'), 200, '✓ Undone.');
  await until('it to be gone', async () => (await object()) === undefined);
  const words = { body: 'It took nine weeks, said Jo.', name: 'Omar H.' };
  expect(await own()).toMatchObject({ state: 'pending_review', ...words });
  expect((await own()).text_changes.at(-1)).toMatchObject({ by: 'human', reason: null });
  await publish();
  expect(await object()).toMatchObject({ body: words.body, author: 'Omar H.', edited_at: null });
});

test('the page shows each edit, and one undo takes back what its human did not agree to', async () => {
  const { id, publish, edit, own, press, send, key, proposed } = await story();
  await publish();
  await edit({ remove: ['nine weeks'] });
  const gone = '<del>nine weeks</del><ins>[removed by a moderator]</ins>';
  expect((await call(key)).text).toContain(gone);
  await edit({ title: 'Nine long weeks' });
  await edit({ remove: ['said Jo'] });
  const dropped = 'The edit that was proposed before was dropped because of that';
  expect((await call(key)).text.split(dropped)).toHaveLength(3);
  await edit({ title: 'Nine long weeks' });
  const yes = { do: 'accept_edit', revision: await proposed() };
  for (let times = 0; times < 2; times++) expectPage(await send(yes), 200, '✓ Changed.');
  const page = (await call(key)).text;
  expectWords(page, gone, 'What moderators edited, 3 times');
  expectWords(page, 'Undo takes all of this back', 'You said yes to this edit.');
  const revision = /name="revision" value="(\d+)">(?:(?!<\/form>).)*undo_edit/s.exec(page)?.[1] ?? '';
  expect((await press('undo_edit')).text).toContain('✓ Undone.');
  expect((await send({ do: 'undo_edit', revision })).status).toBe(200);
  const { state, title, body } = await own();
  expect([state, title, body]).toEqual(['pending_review', 'Nine long weeks', 'It took nine weeks, said Jo.']);
  await recordOf(system, id);
  await decide(system, id, Decision.REJECT, { reason: 'Off topic.' });
  const after = (await call(key)).text;
  expectWords(after, 'Edited by a moderator on', 'What a moderator edited', 'You said yes to this edit.');
  expect(after).not.toContain('It was never published.');
});

test('what cannot be undone is not offered, and a rejected text shows what a moderator changed', async () => {
  const lost = await story();
  await lost.publish();
  await lost.edit({ remove: ['nine weeks'], forgetBefore: true });
  const { text = '' } = await lost.mail('Your published story was edited');
  expect(text.replace(/\s+/g, ' ')).toMatch(/It cannot be undone, because the text before is not kept.*write to us/);
  expect(text).not.toContain('Undo');
  const page = (await call(lost.key)).text;
  expect(page).toMatch(/It cannot be undone\. If you disagree, <a href="privacy#contest">write to us<\/a>/);
  expect(page).not.toContain('value="undo_edit"');
  expect((await call(new URL('privacy', lost.key).href)).text).toContain('id="contest"');

  const rejected = await story();
  await rejected.edit({ title: 'Ten weeks' });
  await decide(system, rejected.id, Decision.REJECT, { reason: 'Off topic.' });
  expect((await rejected.mail('Your story was not accepted')).text).toContain('[-Nine-]{+Ten+} weeks');
  const shown = (await call(rejected.key)).text;
  expectWords(shown, 'It was never published.', '<del>Nine</del><ins>Ten</ins> weeks');
  expect(shown).not.toContain('value="undo_edit"');
});
