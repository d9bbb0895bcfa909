import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { expect, test } from 'vitest';
import {
  askForAccess,
  confirmationMail,
  confirmUrl,
  consent,
  contribute,
  exchangeToken,
  mailWith,
  newStory,
  recordOf,
  sendJson,
} from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { bearer, call, expectPage, expectWords, type HttpResponse } from '../harness/http.js';
import { ownWebDesk } from '../harness/own.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import type { StaffBrowser, StaffResponse } from '../harness/web-desk.js';
import { csrfOf } from '../harness/web-desk.js';

const email = 'web-person@example.org';

const system = await sharedSystem();
const web = await ownWebDesk(system);
const desk = deskOf(system);
const ada = await web.signIn('ada', 'support');
await putArticle(system, { slug: 'read-here', title: 'Read here' });

/** Finds a person or a thing with the form, as people do. Returns the path of the page and the page. */
async function find(browser: StaffBrowser, what = email, day = ''): Promise<[string, StaffResponse]> {
  const sent = await browser.submit(await browser.get('/people'), '/people/find', { what, day, reason: 'T-1' });
  const found = await browser.follow(sent);
  const path = found.headers.get('location') ?? '';
  return [path.replace(/[?#].*/, ''), path === '' ? found : await browser.get(path)];
}

async function actOn(browser: StaffBrowser, action: string, fields: Record<string, string>): Promise<StaffResponse> {
  const [path, page] = await find(browser);
  return browser.submit(page, `${path}${action}`, fields);
}

test('a person is found without an address in a URL or a log, and only in the session that looked', async () => {
  const issued = ['token', 'issue', '--email', email, '--agent', 'Web agent', '--yes'];
  await desk.json(...issued);
  const [path, page] = await find(ada, 'Web-Person@Example.org');
  expectWords(page.text, `<bdi>${email}</bdi>`, 'Web agent');
  expect(decodeURIComponent(path)).not.toContain('web-person');
  expect(web.process.output()).not.toContain('web-person');
  const eve = await web.signIn('eve', 'support');
  expect((await eve.get(path)).status).toBe(404);
});

test('a token ends with a reason, a link is sent, and the data is exported in both formats', async () => {
  const [{ id }] = await desk.json<[{ id: string }]>('token', 'list', '--email', email);
  const ended = await actOn(ada, `/tokens/${id}/end`, { reason: 'lost laptop' });
  expect((await ada.follow(ended)).text).toContain('The token has ended.');
  expect(await desk.json('token', 'list', '--email', email)).toMatchObject([{ state: 'revoked' }]);
  const [path, page] = await find(ada);
  // Pressed twice, the form sends one mail.
  for (const _press of [1, 2])
    expect((await ada.submit(page, `${path}/link`, { site: 'org', reason: 'asked' })).status).toBe(303);
  await mailWith(system, email, 'The link to your own page');
  expect((await find(ada))[1].text.match(/<td>link<\/td>/g)).toHaveLength(1);
  for (const [format, part] of [
    ['markdown', '### tokens 1 of 1'],
    ['json', '"agent_name": "Web agent"'],
  ] as const) {
    const file = await actOn(ada, '/export', { format, reason: 'asked' });
    expect(file.text).toContain(part);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="person-[\d-]+\.(md|json)"$/);
  }
  expect((await actOn(ada, '/export', { format: 'json', reason: '' })).status).toBe(400);
  expect((await actOn(ada, '/export', { format: 'pdf', reason: 'asked' })).status).toBe(400);
});

test('says why an agent gets 429, and resets it', async () => {
  const [path, limits] = await find(ada, 'client:web-client');
  expect(limits.text).toMatch(/articles read with one client id, a day<\/td><td>3<\/td><td>3</);
  expect((await ada.fillIn(path, { reason: ' ' })).status).toBe(400);
  expect((await ada.fillIn(path, { reason: 'counted twice' })).status).toBe(303);
  expect((await find(ada, '192.0.2.7'))[1].text).toContain('articles read without a client id');
  expect((await find(ada, 'client:beefcafe'))[1].text).toContain('<bdi>client:beefcafe</bdi>');
});

test('a token is issued with a reason and shown once, and what was typed stays when the form is refused', async () => {
  const issue = `${(await find(ada))[0]}/issue`;
  const empty = await ada.get(issue);
  const fields = { agent: 'ask@example.org', 'write:story': 'yes', reason: 'for a <b>test</b>' };
  const refused = await ada.submit(empty, issue, fields);
  expectPage(
    refused,
    422,
    'Name of the agent must be 1 to 60 characters',
    'value="ask@example.org"',
    'value="for a &lt;b&gt;test&lt;/b&gt;"',
  );
  const without = await ada.submit(empty, issue, { ...fields, agent: 'Tester', reason: ' ' });
  expectPage(without, 422, 'Reason is required: say why.', 'value="Tester"');
  const issued = await ada.submit(refused, issue, { ...fields, agent: 'Tester' });
  const [secret = ''] = /cks_\w+/.exec(issued.text) ?? [];
  const described = await call(`${system.url}/api/v1/agent/token`, { headers: bearer(secret) });
  expect(described.json).toMatchObject({ token: { agent_name: 'Tester', scopes: ['write:story'] } });
  expect(web.process.output()).not.toContain(secret);
  expect((await find(ada))[1].text).not.toContain(secret);
  expect((await ada.submit(refused, issue, { ...fields, agent: 'Tester' })).text).toContain(secret);
  const [path, whose] = await find(ada, `found: ${secret}`);
  expect(whose.text).toContain('Tester');
  expect(`${path} ${whose.text}`).not.toContain(secret);
});

test('one token and one request have pages, found by their ids, with who changed what and why', async () => {
  const tokens = await desk.json<{ id: string; agent_name: string }[]>('token', 'list', '--email', email);
  const { id = '' } = tokens.find(({ agent_name }) => agent_name === 'Tester') ?? {};
  const [path, page] = await find(ada, id.slice(0, 8));
  expect(path).toMatch(new RegExp(`/tokens/${id}$`));
  expectWords(page.text, '<bdi>for a &lt;b&gt;test&lt;/b&gt;</bdi>', '<bdi>ada</bdi>');
  const [, request = ''] = /requests\/([0-9a-f-]{36})/.exec(page.text) ?? [];
  expect((await find(ada, request))[1].text).toContain('Request of <bdi>Tester</bdi>');
  const none = await find(ada, '00000000-0000-4000-8000-000000000000');
  expectPage(none[1], 404, 'Nothing is known under');
});

test('ids of answers, the user code and the name of an agent lead to what they are about', async () => {
  const human = 'helped@example.org';
  const fields = { agent_name: 'Growth Bot.2', scopes: ['write:story'] };
  const { answer, userCode, deviceCode } = await askForAccess(system, human, fields);
  const id = (sent: HttpResponse) => sent.headers.get('x-request-id') ?? '';
  const requestPage = expect.stringContaining(`Request of <bdi>Growth Bot.2</bdi>`);
  const yes = await sendJson('POST', confirmUrl(system, await confirmationMail(system, human)), {});
  const exchanged = await exchangeToken(system, deviceCode);
  for (const word of [id(answer), id(yes), id(exchanged), userCode, userCode.toLowerCase(), 'growth bot.2']) {
    expect((await find(ada, word))[1].text, word).toEqual(requestPage);
    const [found] = await desk.json<[{ kind: string; email: string }]>('person', 'find', word);
    expect(found).toMatchObject({ kind: 'request', email: human });
  }
  const [holder] = await desk.json<[{ kind: string; email: string }]>('person', 'find', exchanged.json.token);
  expect(holder).toMatchObject({ kind: 'token', email: human });
  const sent = await contribute(system, exchanged.json.token, newStory({ title: 'Helped' }));
  expect((await find(ada, id(sent)))[1].text).toContain('<h1><bdi>Helped</bdi></h1>');
  const path = `${system.url}/api/v1/contributions/${sent.json.contribution.id}`;
  const gone = await call(path, { method: 'DELETE', headers: bearer(exchanged.json.token) });
  expect((await find(ada, id(gone)))[1].text).toContain('<h1><bdi>Helped</bdi></h1>');
  const failed = await call(`${system.url}/api/v1/content/none?site=org`);
  const [, nothing] = await find(ada, id(failed));
  expectPage(nothing, 404, 'only in the log files');
});

test('an address with a plus-tag leads to the person whose mailbox it is, unless it is a person itself', async () => {
  expect((await find(ada, email.replace('@', '+shop@')))[1].text).toContain(`<h1><bdi>${email}</bdi></h1>`);
  const tagged = 'web-person+own@example.org';
  await desk.json('token', 'issue', '--email', tagged, '--agent', 'Tagged', '--yes');
  expect((await find(ada, tagged))[1].text).toContain(`<h1><bdi>${tagged}</bdi></h1>`);
  expect((await find(ada, 'nobody+own@example.org'))[1].text).toContain('<h1><bdi>nobody+own@example.org</bdi></h1>');
});

test('what nothing is known under is said to be so, with the limits of a client id of this name', async () => {
  for (const word of ['999.1.1.1', '<b>', 'zażółć', 'address:999.1.1.1']) {
    const { text, status } = (await find(ada, word))[1];
    expectPage({ status, text }, 404, 'Nothing is known under');
    const [, limits = ''] = /href="(\/people\/limits\/[^"]+)"/.exec(text) ?? [];
    expect((await ada.get(limits)).text).toContain(`client:${word.replace('<b>', '&lt;b&gt;')}`);
  }
  const read = () =>
    call(`${system.url}/api/v1/content/read-here?site=org`, { headers: { 'x-agent-client-id': 'known-client' } });
  await until('the article', async () => (await read()).status === 200);
  expect((await find(ada, 'known-client'))[1].text).toContain('<bdi>client:known-client</bdi>');
  expect((await find(ada, 'x'.repeat(121)))[1].text).toContain('It is no client id');
});

test('a mailbox is blocked and unblocked, and its page says so', async () => {
  const authorize = `${system.url}/api/v1/agent/authorize`;
  await sendJson('POST', authorize, { email, agent_name: 'Waiting' }, { 'x-agent-client-id': 'who-wrote' });
  expect((await actOn(ada, '/block', { days: 'many', reason: 'x' })).status).toBe(400);
  // A browser lets a space pass.
  expectPage(await actOn(ada, '/block', { days: '7', reason: ' ' }), 400, 'Reason is required: say why.');
  const blocked = await actOn(ada, '/block', { days: '7', reason: 'asked by mail' });
  expect((await ada.follow(blocked)).text).toContain('can no longer ask this mailbox or send texts');
  const [, page] = await find(ada);
  expectWords(page.text, 'This mailbox is blocked', 'asked by mail');
  expect(await desk.json('person', 'show', '--email', email)).toMatchObject({
    block: { by: 'ada', reason: 'asked by mail' },
    authorizations: expect.arrayContaining([expect.objectContaining({ state: 'revoked', client_id: 'who-wrote' })]),
  });
  expect((await actOn(ada, '/unblock', { reason: ' ' })).status).toBe(400);
  expect((await actOn(ada, '/unblock', { reason: 'wants them again' })).status).toBe(303);
  expect((await find(ada))[1].text).toContain('Block this mailbox');
});

test('a moderator blocks the human of an item, who can then only be read for, and ends the access of its agent', async () => {
  const { token } = await consent(system, 'bulk-sender@example.org');
  const send = (title: string) => contribute(system, token, newStory({ title }));
  const { id } = (await send('The first of many')).json.contribution as { id: string };
  const own = { headers: bearer(token) };
  const state = async () => (await call(`${system.url}/api/v1/contributions/${id}`, own)).json.contribution?.state;
  const mona = await web.signIn('mona', 'moderator');
  const path = `/queue/${id}`;
  const act = async (fields: Record<string, string>) => mona.submit(await mona.get(path), `${path}/sender`, fields);
  expect((await act({ what: 'stop', reason: 'spam' })).status).toBe(400);
  for (const [revision, reason, said] of [
    ['1', 'x'.repeat(2_001), '>The reason must be at most'],
    ['9', 'spam', 'has revision 1 now and is pending review; you saw revision 9.'],
  ] as const) {
    const fields = { decision: 'reject', revision, reason };
    expect((await mona.submit(await mona.get(path), `${path}/decision`, fields)).text).toContain(said);
  }
  expect((await act({ what: 'stop', block: 'yes', days: '7', reason: 'an advertisement' })).status).toBe(303);
  // A mailbox may send 20 texts a day, so no try follows at once.
  const pause = [15_000, 300] as const;
  const blocked = async () => {
    const sent = await send('The second of many');
    return sent.status === 403 && sent;
  };
  const refused = await until('the block', blocked, ...pause);
  expect(refused.json).toMatchObject({ error: 'writes_blocked', message: expect.stringContaining('own page') });
  expect(await state()).toBe('pending_review');
  const shown = (await mona.get(path)).text;
  expect(shown.replace(/<[^>]*>/g, '')).toMatch(/Blocked until .*, by mona on .*: an advertisement/);

  expect((await act({ what: 'unblock', reason: 'a mistake' })).status).toBe(303);
  await until('the end of the block', async () => (await send('The third of many')).status === 201, ...pause);
  expect((await act({ what: 'stop', end: 'yes', days: '30', reason: 'spam' })).status).toBe(303);
  await until('the end of the access', async () => (await send('The fourth')).status === 401);
  const ended = await until('the withdrawal', async () => {
    const found = await recordOf(system, id);
    return found?.accessEndedBy !== '' && found?.contribution?.state === ContributionState.WITHDRAWN && found;
  });
  expect(ended.accessEndedBy).toBe('mona');
});

test('a story is found by its id or a link to it, and a mail by its day', async () => {
  const { token } = await consent(system, 'story-teller@example.org');
  const sent = await contribute(system, token, newStory({ title: 'Where is my story' }));
  const { id } = sent.json.contribution as { id: string };
  for (const word of [id, `https://knowledge.example/api/v1/contributions/${id}`]) {
    const [path, page] = await find(ada, word);
    expect(path).toMatch(new RegExp(`/contributions/${id}$`));
    expect(page.text).toContain('It waits for a moderator.');
  }
  const about = '/articles/read-here?site=org';
  const report = { type: 'inquiry', site: 'org', purpose: 'report', about, body: 'The third table names a person.' };
  expect((await contribute(system, token, report)).status).toBe(201);
  const [person, all] = await find(ada, 'story-teller@example.org');
  const [, reported = ''] = new RegExp(`${person}(/contributions/[^"]+)"><bdi>The third table`).exec(all.text) ?? [];
  expect(all.text).toContain('<td>report, Organisation</td>');
  expect((await ada.get(person + reported)).text).toMatch(/<h1><bdi>The third table.*report, org.*Read here/s);
  const queue = await ada.get('/queue');
  expectPage(queue, 200, 'Where is my story');
  expect(queue.text).not.toMatch(/href="\/queue\/|data-item/);
  const today = new Date().toISOString().slice(0, 10);
  const [, mails] = await find(ada, 'story-teller@example.org', today);
  expect(mails.text).toMatch(new RegExp(`Mails to this person on ${today}[^]*confirmation`));
  expect((await find(ada, 'story-teller@example.org', '2020-01-01'))[1].text).toContain('No mail is stored.');
});

test('a mail that the mail server refuses because of us is seen with its words everywhere, and sent again', async () => {
  const refused = 'refused-mail@example.org';
  system.mail.refusal = { responseCode: 553, words: '5.7.1 <knowledge@example.org>: sender not allowed' };
  await askForAccess(system, refused);
  const [mail] = await until('the failed mail', async () => {
    const list = await desk.json<{ id: string; record_id: string }[]>('mail', 'list');
    return list.length > 0 && list;
  });
  const words = 'MAIL FROM: 553 5.7.1 <(address)>: sender not allowed';
  expect(mail).toMatchObject({ service: 'identity', state: 'pending', failure: 'held', response: words });
  expect((await desk.run('status')).stdout).toContain('1 wait after a failure, 1 of them for us to repair');
  expect((await desk.run('authorization', 'show', mail?.record_id ?? '')).stdout).toContain('sender not allowed');
  const page = await ada.get('/people/mails');
  expect(page.text).toContain('sender not allowed');
  expect(page.text).not.toContain(refused);
  system.mail.refusal = undefined;
  const sent = await ada.submit(page, '/people/mails', { mail: mail?.id ?? '', reason: 'repaired' });
  expect((await ada.follow(sent)).text).toContain('is tried again now');
  await confirmationMail(system, refused);
  await until('no failed mail', async () => (await desk.json<[]>('mail', 'list')).length === 0);
  expect((await ada.get('/record')).text).toContain('mail sent again');
  expect((await desk.run('mail', 'resend', mail?.id ?? '', '--yes')).code).toBe(1);
});

test('an erasure needs a second person, and the services refuse the first and every other role', async () => {
  expect((await actOn(ada, '/erasure', { reason: 'a letter' })).status).toBe(303);
  const [{ id }] = await desk.json<[{ id: string }]>('erasure', 'list');
  const confirm = `/people/erasures/${id}/confirm`;
  const own = await ada.get('/people');
  expect(own.text).not.toContain(confirm);
  const cancel = `/people/erasures/${id}/cancel`;
  const _csrf = csrfOf(own);
  expect((await ada.post(confirm, { _csrf, checked: 'yes' })).status).toBe(409);
  for (const role of ['reader', 'moderator', 'editor'] as const) {
    const other = await web.signIn(`${role}-person`, role);
    expect((await other.get('/people')).status).toBe(403);
    const token = csrfOf(await other.get('/'));
    for (const action of [confirm, cancel]) {
      expect((await other.post(action, { _csrf: token, checked: 'yes', reason: 'x' })).status).toBe(403);
    }
  }
  const bob = await web.signIn('bob', 'support');
  const waiting = await bob.get('/people');
  expect((await bob.submit(waiting, confirm)).status).toBe(400);
  const erased = await bob.submit(waiting, confirm, { checked: 'yes' });
  expect((await bob.follow(erased)).text).toContain('The person is erased');
  expect(await desk.json('token', 'list', '--email', email)).toEqual([]);
  expect(await desk.json('erasure', 'list')).toEqual([]);
});
