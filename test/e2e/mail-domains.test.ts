import { expect, test } from 'vitest';
import { sendJson } from '../harness/agent.js';
import { deskOf } from '../harness/desk.js';
import { expectPage, expectWords } from '../harness/http.js';
import { ownWebDesk } from '../harness/own.js';
import { sharedSystem } from '../harness/system.js';

const system = await sharedSystem();
const desk = deskOf(system);
const web = await ownWebDesk(system);

const ask = (email: string) =>
  sendJson('POST', `${system.url}/api/v1/agent/authorize`, { email, agent_name: 'Wave agent' });

test('a mail domain is refused, limited and allowed with the command line, and every change is in the record', async () => {
  expect((await ask('one@wave.example')).status).toBe(202);
  const block = await desk.refused('person', 'block', '--email', '*@wave.example', '--reason', 'spam', '--yes');
  expect(block.message).toContain('knowledge domain refuse wave.example');
  expect(await desk.json('domain', 'refuse', 'wave.example', '--reason', 'a wave', '--yes')).toMatchObject({
    ...{ id: 'wave.example', effect: 'refuse', humans_a_day: null, reason: 'a wave' },
  });
  const refused = await ask('two@sub.wave.example');
  expect([refused.status, refused.json.error]).toEqual([400, 'validation_error']);
  expect(refused.json.message).toContain('email: mailboxes of wave.example');

  await desk.json('domain', 'limit', 'wave.example', '--humans', '1', '--reason', 'better');
  expect((await ask('three@wave.example')).status).toBe(202);
  const limited = await ask('four@wave.example');
  expect([limited.status, limited.json.error]).toEqual([429, 'rate_limited']);
  expect(limited.headers.get('retry-after')).toBeNull();
  expect(limited.json.message).toContain('the next day begins at 00:00 UTC');

  expect(await desk.json('domain', 'list')).toMatchObject([{ id: 'wave.example', effect: 'limit', humans_a_day: 1 }]);
  await desk.json('domain', 'clear', 'wave.example', '--reason', 'over');
  expect(await desk.json('domain', 'list')).toEqual([]);
  expect((await ask('four@wave.example')).status).toBe(202);
});

test('moderators keep the rules in the web desk, and editors do not see them', async () => {
  const mo = await web.signIn('mo', 'moderator');
  const path = '/people/domains';
  const rule = { domain: 'spam.example', effect: 'refuse', humans_a_day: '', reason: 'bought <yesterday>' };
  const sent = await mo.fillIn(path, rule);
  expect(sent.headers.get('location')).toBe(path);
  const { text } = await mo.get(path);
  expectWords(text, 'spam.example', 'bought &lt;yesterday&gt;');
  expect((await ask('a@spam.example')).status).toBe(400);
  const wrong = await mo.fillIn(path, { ...rule, domain: 'jane@spam.example' });
  expectPage(wrong, 422, '<title>Error:', 'without a mailbox', 'value="jane@', '"true" autofocus');
  const su = await web.signIn('su', 'support');
  expect((await su.get('/record?subject=mail_domain&looks=yes')).text).toContain(`${path}?edit=spam.example`);
  await mo.fillIn(path, { ...rule, effect: 'clear' });
  expect((await ask('a@spam.example')).status).toBe(202);
  const ed = await web.signIn('ed', 'editor');
  expect((await ed.get(path)).status).toBe(403);
});
