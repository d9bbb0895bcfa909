import { expect, it } from 'vitest';
import { factsOfChange } from './change-log.js';

it('gives filters the author, the subject and the time of a change', () => {
  const at = new Date(1);
  const transition = { from: '', to: 'published', actor: 'ann', at, reason: '', revision: 1 };
  const change = { subject: 'object', site: 'org', key: 'o1', tags: [], transition, position: 1 } as const;
  expect(factsOfChange(change)).toEqual({ subject: 'object', id: 'o1', actor: 'ann', at });
});
