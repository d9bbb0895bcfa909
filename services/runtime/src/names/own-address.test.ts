import { expect, it } from 'vitest';
import { lineOfAddress } from './contact-in.js';

const email = 'jo_o.doe+agent@mail.example.org';

it.each([
  ...['jo_o.doe@mail.example.org', 'JO_O.DOE@Mail.Example.org', 'jo_o.doe+agent@mail.example.org'],
  ...['jo_o.doe+shop@mail.example.org', 'jo_o.doe&#64;mail.example.org'],
  ...['jo_o.doe&commat;mail&period;example&#x2e;org', '&#106;o_o.doe@mail.example.org'],
  ...['[mail me](mailto:jo_o.doe%40mail.example%2Eorg)', '<jo_o.doe@mail.example.org>'],
  ...['mailto:jo_o.doe@mail.example.org?subject=x', 'https://jo_o.doe@mail.example.org/'],
  ...['ｊｏ_ｏ．ｄｏｅ＠ｍａｉｌ．ｅｘａｍｐｌｅ．ｏｒｇ', 'jo_o\u200b.doe@\u200bmail\u00ad.example.org'],
  ...['jo_o.doe (at) mail.example.org', 'jo_o.doe [AT] mail [dot] example [dot] org'],
  ...['jo_o.doe at mail dot example dot org', 'jo_o.doe ät mail punkt example punkt org'.replace(' ät ', ' (ät) ')],
  ...['jo_o.doe @ mail . example . org', 'jo_o.doe_at_mail_dot_example_dot_org', 'jo\\_o.doe\\@mail.example.org'],
  ...['jo_o.doe@**mail**.example.org', '_jo_o.doe@mail.example.org_', '`jo_o.doe`@`mail.example.org`'],
  ...['jo_o.doe[@](https://example.org/a)mail.example.org', 'jо_o.dоe@mail.example.org', '|jo_o.doe@mail.example.org|'],
  ...['jo_o.doe@mail.example.org.', 'jo_o dot doe at mail dot example dot org'],
  ...['jo_o.doe - at - mail - dot - example - dot - org', 'jo_o.doeATmailDOTexampleDOTorg'],
  ...['jo_o.doe ät mail punkt example punkt org', 'jo_o point doe arobase mail point example point org'],
  ...['jo_o.doe+at+mail+dot+example+dot+org', 'jo_o.doe {at} mail<dot>example"dot"org'],
  ...['jo_o.doe@<br>mail.example.org', 'jo_o.doe<br>at<br>mail<br>dot<br>example<br>dot<br>org'],
  ...['jo_o.doe@\nmail.example.org', 'jo_o.d\u00adoe@mail.exam&shy;ple.org', 'jo\ufe0f_o.doe@m\u200dail.example.org'],
])('finds the own address in %j', (spelling) => {
  expect(lineOfAddress(spelling, email)).toBe(1);
  expect(lineOfAddress(`One line.\n\nWrite to ${spelling} or not.`, email)).toBe(3);
});

it.each([
  ...['jo_o.doe', 'mail.example.org', 'doe@mail.example.org', 'mary.jo_o.doe@mail.example.org'],
  ...['banjo_o.doe@mail.example.org', 'jo_o.doe@example.org', 'jo_o.doe@mail.example.organic'],
  ...['jo_o.doe met us at mail.example.org', 'look at mail dot example dot org'],
  ...['jo_o.doe at mail, and an example dot org', 'We met at mail.example.org. Jo_o. Doe was there.'],
  '100 % of &amp; 50 %40',
])('finds no own address in %j', (text) => {
  expect(lineOfAddress(text, email)).toBeUndefined();
});

it('finds an address in two cells, and tells the line of their row', () => {
  const table = '| [jo_o.doe](https://x.example/) | at mail.example.org |';
  expect(lineOfAddress(`A table:\n\n| a | b |\n|---|---|\n| c | d |\n${table}`, email)).toBe(6);
});

it('finds nothing without an address, as after an erasure', () => {
  expect(lineOfAddress('A text @ all.', '')).toBeUndefined();
});

it('takes signs of an address as they are', () => {
  expect(lineOfAddress('a$^b{c}?@x.org', 'a$^b{c}?@x.org')).toBe(1);
  expect(lineOfAddress('axb@x.org', 'a.b@x.org')).toBeUndefined();
  expect(lineOfAddress('+shop@x.org', '+shop@x.org')).toBe(1);
});
