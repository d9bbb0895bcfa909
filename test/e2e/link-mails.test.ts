import { expect, test } from 'vitest';
import { askForAccess, confirmationMail, confirmUrl, mailsTo } from '../harness/agent.js';
import { call } from '../harness/http.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();

const send = (url: string, fields: Record<string, string>) =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams(fields).toString(),
  });

test('who turned everything off gets one link a week, with an end of them that works', async () => {
  const email = 'no.more@gmail.com';
  await askForAccess(system, email);
  const confirm = new URL(confirmUrl(system, await confirmationMail(system, email)));
  const off = await send(`${system.url}/access/block${confirm.search}`, { days: '0' });
  expect(off.text).toContain('Requests are turned off');
  const asked = [email, email, 'nomore@googlemail.com', 'n.o.m.o.r.e@gmail.com', 'nomore+x@gmail.com'];
  const answers = [];
  for (const each of asked) answers.push(await send(`${system.url}/access/link`, { email: each }));
  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 202));
  const link = await until('the link', () => mailsTo(system, email)[1]);
  const [end = ''] = /\S*\/access\?key=\S*#links/.exec(link.text ?? '') ?? [];
  const key = new URL(end).searchParams.get('key') ?? '';
  const page = `${system.url}/access?key=${encodeURIComponent(key)}`;
  const opened = await call(page);
  expect(opened.text).toContain('No more of these mails');
  expect((await call(page)).text).toContain('No more of these mails');
  const ended = await send(`${system.url}/access/block?key=${encodeURIComponent(key)}`, { days: 'no-links' });
  expect(ended.status).toBe(303);
  const after = await call(new URL(ended.headers.get('location') ?? '', `${system.url}/access/block`).href);
  expect(after.text).toContain('We mail this address no more links');
  expect(after.text).not.toContain('No more of these mails');
  expect(
    asked.flatMap((each) => mailsTo(system, each)).filter(({ text }) => text?.includes('/access?key=')),
  ).toHaveLength(asked.filter((each) => each === email).length);
});
