import { expect, it } from 'vitest';
import { readText } from './check.js';
import { habits } from './writing.js';

const textOf = (body: string, title: string | null = 'A title') =>
  readText({ title, body, name: null, language: '', purpose: null });

it.each([
  ['an entity such as &amp; in the title', textOf('A body.', 'Cost &lt; 3 &amp; more')],
  ['the whole text is one block of code', textOf('```markdown\n# Title\n\nA body.\n```')],
  ['front matter of a file', textOf('---\ntitle: "A"\ndate: 2026-01-01\n---\n\nA body.')],
  ['front matter of a file', textOf('+++\ntitle = "A"\n+++\nA body.')],
  ['words of a model to its human', textOf('Here is the story you asked for:\n\nWe moved.')],
  ['words of a model to its human', textOf('Sure! Here’s a draft of the reply.\n\nWe moved.')],
])('finds %s', (words, text) => {
  expect(habits(text)).toEqual({ weight: 10, text: words });
});

it.each([
  'Here is what we learnt.',
  'We wrote:\n\n```sh\na\n```',
  '---\n\nA line above.',
  'Here, a draft was never enough.',
])('finds nothing in %j', (body) => {
  expect(habits(textOf(body))).toBeUndefined();
});
