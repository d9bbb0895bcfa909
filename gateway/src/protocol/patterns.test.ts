import { asciiAddress, isSingleAddress } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { emailPattern } from './patterns.js';

const email = new RegExp(emailPattern, 'u');

it.each([
  'jane@example.org',
  "j.o-e+tag_!#$%&'*/=?^`{|}~@sub.example.co",
  'x@bücher.example',
  'x@例え.テスト',
  ' a@example.org\n',
  'a@b.c',
  'a@xn--bcher-kva.example',
  `a@${'b'.repeat(63)}.org`,
])('the gateway and the mail service accept the address %s', (address) => {
  expect([email.test(address), isSingleAddress(asciiAddress(address))]).toEqual([true, true]);
});

it.each([
  ...[
    'j•••@example.org',
    'jane',
    'jane@example',
    'a@b@example.org',
    '-a@example.org',
    '.a@example.org',
    'a..b@example.org',
  ],
  ...['a.@example.org', 'Jane <jane@example.org>', 'a@example.org,b@example.org', 'a@[127.0.0.1]', 'a@127.0.0.1'],
  ...[
    'a@-b.org',
    'a@b-.org',
    'a b@example.org',
    '"a"@example.org',
    'mailto:a@example.org',
    `a@${'b'.repeat(64)}.org`,
    '@b.org',
  ],
])('the gateway and the mail service refuse the address %j', (address) => {
  expect([email.test(address), isSingleAddress(asciiAddress(address))]).toEqual([false, false]);
});
