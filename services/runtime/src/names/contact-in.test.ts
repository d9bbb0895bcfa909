import { expect, it } from 'vitest';
import { contactIn } from './contact-in.js';

it.each([
  ['visit evil.com now', 'a web address'],
  ['evil．example', 'a web address'],
  ['evil。com', 'a web address'],
  ['Evil.CO.UK/offer', 'a web address'],
  ['bit.ly/abc', 'a web address'],
  ['t.me/evil', 'a web address'],
  ['www.something', 'a web address'],
  ['https://x', 'a web address'],
  ['пример.рф', 'a web address'],
  ['xn--e1afmkfd.xn--p1ai', 'a web address'],
  ['münchen.de', 'a web address'],
  ['192.0.2.7', 'a web address'],
  ['evil (dot) com', 'a web address'],
  ['evil dot com', 'a web address'],
  ['evil\u200b.com', 'a web address'],
  ['jo@example.org', 'an e-mail address'],
  ['jo (at) example dot org', 'an e-mail address'],
  ['call +49 30 1234567', 'a telephone number'],
  ['+1 (415) 555-0132', 'a telephone number'],
  ['tel0301234567', 'a telephone number'],
  ['０３０ １２３４５６７', 'a telephone number'],
  ['٠٣٠١٢٣٤٥٦٧', 'a telephone number'],
  ['4 1 5 5 5 5 0 1 3 2', 'a telephone number'],
  ['Jane @jane_doe', 'the handle of a messenger'],
  ['Telegram evil_handle', 'the handle of a messenger'],
  ['WhatsApp: jane1987', 'the handle of a messenger'],
  ['Wickr bobby77', 'the handle of a messenger'],
  ['signal evil.42', 'the handle of a messenger'],
  ['Insta evilguy99', 'the handle of a messenger'],
  ['jo ät firma Punkt de', 'an e-mail address'],
  ['evil[.]com', 'a web address'],
  ['write me on Telegram evilhandle', 'the handle of a messenger'],
])('finds in %j %s', (name, contact) => {
  expect(contactIn(name)).toBe(contact);
});

it.each([
  ...['Maria Keller', 'Atlas', 'GPT-4.1', 'Node.js agent', 'ASP.NET agent', 'claude-sonnet-4-20250514'],
  ...['gpt-4o-2024-08-06', 'Run 2026-11-26', 'agent 550e8400-e29b-41d4-a716-446655440000', 'Telegram bot'],
  ...['Telegram GPT-4 assistant', 'Signal processing agent', 'Discord v2', 'Telegram assistant 24', 'Signal agent42'],
  ...['Polka dot art', 'J.R.R. Tolkien', 'Dr. Who, St. Pölten', 'Jo @ Acme', 'a/b', 'Агент 007', '3.5 Sonnet (2024)'],
  '日本語。エージェント',
])('finds nothing in %j', (name) => {
  expect(contactIn(name)).toBeUndefined();
});
