import { expect, it } from 'vitest';
import { contactIn } from './contact-in.js';

const contacts = {
  'a web address': [
    ...['visit evil.com now', 'evil．example', 'evil。com', 'Evil.CO.UK/offer', 'bit.ly/abc', 't.me/evil'],
    ...['www.something', 'https://x', 'пример.рф', 'xn--e1afmkfd.xn--p1ai', 'münchen.de', '192.0.2.7'],
    ...['evil (dot) com', 'evil dot com', 'evil\u200b.com', 'evil[.]com'],
  ],
  'an e-mail address': ['jo@example.org', 'jo (at) example dot org', 'jo ät firma Punkt de'],
  'a telephone number': [
    ...['call +49 30 1234567', '+1 (415) 555-0132', 'tel0301234567', '０３０ １２３４５６７', '٠٣٠١٢٣٤٥٦٧'],
    '4 1 5 5 5 5 0 1 3 2',
  ],
  'the handle of a messenger': [
    ...['Jane @jane_doe', 'Telegram evil_handle', 'WhatsApp: jane1987', 'Wickr bobby77', 'signal evil.42'],
    ...['Insta evilguy99', 'write me on Telegram evilhandle'],
  ],
};

it.each(Object.entries(contacts).flatMap(([contact, names]) => names.map((name) => [name, contact] as const)))(
  'finds in %j %s',
  (name, contact) => {
    expect(contactIn(name)).toBe(contact);
  },
);

it.each([
  ...['Maria Keller', 'Atlas', 'GPT-4.1', 'Node.js agent', 'ASP.NET agent', 'claude-sonnet-4-20250514'],
  ...['gpt-4o-2024-08-06', 'Run 2026-11-26', 'agent 550e8400-e29b-41d4-a716-446655440000', 'Telegram bot'],
  ...['Telegram GPT-4 assistant', 'Signal processing agent', 'Discord v2', 'Telegram assistant 24', 'Signal agent42'],
  ...['Polka dot art', 'J.R.R. Tolkien', 'Dr. Who, St. Pölten', 'Jo @ Acme', 'a/b', 'Агент 007', '3.5 Sonnet (2024)'],
  '日本語。エージェント',
])('finds nothing in %j', (name) => {
  expect(contactIn(name)).toBeUndefined();
});
