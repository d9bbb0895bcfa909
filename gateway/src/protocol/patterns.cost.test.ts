import { expect, it } from 'vitest';
import { emailPattern } from './patterns.js';

it('the e-mail pattern costs what the length of a text costs', () => {
  const email = new RegExp(emailPattern, 'u');
  const begun = process.cpuUsage();
  for (const part of ['a', 'a.', 'a@', 'a@b.', '-', 'a@a-']) email.test(part.repeat(128 * 512));
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(200);
});
