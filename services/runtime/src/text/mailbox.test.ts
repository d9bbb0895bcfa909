import { expect, it } from 'vitest';
import { domainsAround, isLargeProvider, mailboxOf } from './address.js';

it.each([
  ['Ada.L@Example.org', 'ada.l@example.org'],
  ['ada+news+more@example.org', 'ada@example.org'],
  ['+ada@example.org', '+ada@example.org'],
  ['', ''],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['target.one@gmail.com', 'targetone@gmail.com'],
  ['T.argetone+x@GoogleMail.com', 'targetone@gmail.com'],
  ['jane_d-o.e+x@pm.me', 'janedoe@proton.me'],
  ['jane@protonmail.ch', 'jane@proton.me'],
  ['jane@mac.com', 'jane@icloud.com'],
  ['jane@ya.ru', 'jane@yandex.ru'],
  ['news@jane.fastmail.com', 'jane@fastmail.com'],
  ['jane+news@fastmail.com', 'jane@fastmail.com'],
  ['jane-news@yahoo.com', 'jane-@yahoo.com'],
  ['jane-shop-2@yahoo.com', 'jane-@yahoo.com'],
])('reads %s as the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
  expect(mailboxOf(mailbox)).toBe(mailbox);
});

it.each([
  ['target.one@example.org', 'targetone@example.org'],
  ['target.one@outlook.com', 'targetone@outlook.com'],
  ['jane@outlook.com', 'jane@hotmail.com'],
  ['jane@yahoo.com', 'jane-news@yahoo.com'],
  ['jane@yahoo.com', 'jane@yahoo.de'],
  ['jane-d@yandex.ru', 'jane.d@yandex.ru'],
  ['jane.doe@icloud.com', 'janedoe@icloud.com'],
  ['jane@fastmail.com', 'jane@fastmail.fm'],
  ['a@jane-doe.fastmail.com', 'jane_doe@fastmail.com'],
  ['jane-news@example.org', 'jane-shop@example.org'],
  ['news@jane.example.org', 'jane@example.org'],
  ['jane@mail.gmail.com', 'jane@gmail.com'],
  ['target.one@notgmail.com', 'targetone@notgmail.com'],
])('keeps %s and %s apart: nobody says that they are one', (one, other) => {
  expect(mailboxOf(one)).not.toBe(mailboxOf(other));
});

it('knows large providers, and the domains around one', () => {
  expect(['gmail.com', 'googlemail.com', 'outlook.com', 'wave.example'].map(isLargeProvider)).toEqual([
    ...[true, true, true, false],
  ]);
  expect(domainsAround('a.Wave.example')).toEqual(['a.wave.example', 'wave.example', 'example']);
  expect(domainsAround('googlemail.com')[0]).toBe('gmail.com');
});
