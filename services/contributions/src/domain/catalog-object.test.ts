import { expect, it } from 'vitest';
import { catalogTitle } from './catalog-object.js';
import type { Contribution } from './contribution.js';

function titleOf(fields: Pick<Contribution, 'title' | 'prompt'>): string {
  return catalogTitle(fields as Contribution);
}

it("is a story's own title, and of a reply what it replies to", () => {
  expect(titleOf({ title: '  As sent ', prompt: null })).toBe('  As sent ');
  const question = 'What surprised you\nmost?';
  expect(titleOf({ title: null, prompt: { id: 'p', question } })).toBe('Reply to: What surprised you most?');
});

it('fits into the catalog however long the question is', () => {
  const title = titleOf({ title: null, prompt: { id: 'p', question: 'word '.repeat(100) } });
  expect([...title].length).toBeLessThanOrEqual(200);
  expect(title).toMatch(/^Reply to: word .*word…$/);
});
