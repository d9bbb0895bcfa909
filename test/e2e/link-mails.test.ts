import { expect, test } from 'vitest';
import { askForAccess, confirmationMail, confirmUrl, mailsTo, submitForm } from '../harness/agent.js';
import { call, expectPage } from '../harness/http.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();

test('who turned everything off gets one link a week, with an end of them that works', async () => {
  const email = 'no.more@gmail.com';
  await askForAccess(system, email);
  const confirm = new URL(confirmUrl(system, await confirmationMail(system, email)));
  const off = await submitForm(`${system.url}/access/block${confirm.search}`, { days: '0' });
  expect(off.text).toContain('Requests are turned off');
  const asked = [email, email, 'nomore@googlemail.com', 'n.o.m.o.r.e@gmail.com', 'nomore+x@gmail.com'];
  for (const each of asked) expect((await submitForm(`${system.url}/access/link`, { email: each })).status).toBe(202);
  const link = await until('the link', () => mailsTo(system, email)[1]);
  const [end = ''] = /\S*\/access\?key=\S*#links/.exec(link.text ?? '') ?? [];
  const { search } = new URL(end);
  for (const _look of [1, 2])
    expect((await call(`${system.url}/access${search}`)).text).toContain('No more of these mails');
  const ended = await submitForm(`${system.url}/access/block${search}`, { days: 'no-links' });
  expectPage(ended, 200, 'We mail this address no more links');
  expect(ended.text).not.toContain('No more of these mails');
  const links = asked.flatMap((each) => mailsTo(system, each)).filter(({ text }) => text?.includes('/access?key='));
  expect(links).toHaveLength(asked.filter((each) => each === email).length);
});
