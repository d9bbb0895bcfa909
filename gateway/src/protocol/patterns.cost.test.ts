import { cpuMs } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { emailPattern } from './patterns.js';

it('the e-mail pattern costs what the length of a text costs', () => {
  const email = new RegExp(emailPattern, 'u');
  const begun = cpuMs();
  for (const part of ['a', 'a.', 'a@', 'a@b.', '-', 'a@a-']) email.test(part.repeat(128 * 512));
  expect(cpuMs() - begun).toBeLessThan(200);
});
