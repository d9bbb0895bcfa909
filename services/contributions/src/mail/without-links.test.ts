import { expect, it } from 'vitest';
import { withoutLinks } from './blocks.js';

it.each([
  ['https://evil.example/a', 'https꞉//evil․example/a'],
  ['evil．example, evil。example, evil｡example', 'evil․example, evil․example, evil․example'],
  ['https：／／evil．example', 'https꞉／／evil․example'],
])('breaks up %s', (text, broken) => {
  expect(withoutLinks(text)).toBe(broken);
});

it('leaves sentences and numbers as they are', () => {
  const text = 'It cost 3.14, e.g. on Monday. 我们迁移了。没有人注意到。';
  expect(withoutLinks(text)).toBe(text);
});
