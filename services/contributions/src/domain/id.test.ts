import { expect, it } from 'vitest';
import { isId, requireFreshId } from './text.js';

const id = '0b6e3f0c-4d5f-4d0e-9a53-00000000000f';

it('accepts only a UUID in lower case', () => {
  expect(isId(id)).toBe(true);
  const others = [`${id}0`, `0${id}`, id.toUpperCase(), id.replaceAll('-', ''), id.replace('f', 'g'), id.slice(1), ''];
  expect(others.filter(isId)).toEqual([]);
  expect(() => requireFreshId(id)).not.toThrow();
  const refused = { code: 'validation_error', message: 'id must be a UUID in lower case.' };
  expect(() => requireFreshId('x')).toThrow(expect.objectContaining(refused));
});
