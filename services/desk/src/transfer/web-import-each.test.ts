import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime/client';
import { expect, it } from 'vitest';
import { importEach, zipOf } from './web-import-each.js';

const options = { site: 'org', publish: false, schedule: false, overwrite: false, reason: '' };
const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });
const article = (slug: string, text = 'Text.') => file(`${slug}.md`, `---\ntitle: T\nslug: ${slug}\n---\n\n${text}\n`);
const created = async () => ({ outcome: PutOutcome.CREATED });

it('stores each file that is right, and says what is wrong with the others', async () => {
  const files = [
    article('a', 'We moved four plants in nine weeks, and then the fifth plant moved all of us.'),
    file('b.md', 'no front matter'),
    file('c.md', '---\ntitle: [T]\n---\n\nText.\n'),
    { ...article('d'), problem: 'is too large' },
    // It is read sooner than the first, whose language must be recognised.
    file('again.md', '---\ntitle: T\nslug: old/a\nlanguage: en\n---\n\nText.\n'),
    article('e'),
    file('a.md', '---\ntitle: T\nslug: f\nsite: io\n---\n\nText.\n'),
  ];
  const results = await importEach(files, options, async ({ slug }: PutArticleRequest) => {
    if (slug === 'e') throw new KnowledgeError('validation_error', 'title must be shorter.');
    return { outcome: slug === 'f' ? PutOutcome.UNCHANGED : PutOutcome.CREATED, note: undefined };
  });
  expect(
    results.map(({ file: name, outcome, notes, article: found }) => [name, outcome, notes.join(), found?.slug]),
  ).toEqual([
    ['a.md', 'created', 'language recognised: en', 'a'],
    ['b.md', 'refused', expect.stringContaining('has no front matter'), undefined],
    ['c.md', 'refused', expect.stringContaining('title: must be text'), undefined],
    ['d.md', 'refused', 'is too large', undefined],
    ['again.md', 'refused', 'is a duplicate of a.md: org/a', undefined],
    ['e.md', 'refused', 'title must be shorter.', 'e'],
    ['a.md (7)', 'unchanged', '', 'f'],
  ]);
});

it('stops when the service fails, and says so by its failure if nothing is stored', async () => {
  const many = Array.from({ length: 30 }, (_, at) => article(`a${at}`));
  const failing = (after: number) => {
    let calls = 0;
    return async () => {
      if (++calls > after) throw new KnowledgeError('unavailable', 'down');
      return created();
    };
  };
  await expect(importEach(many, options, failing(0))).rejects.toMatchObject({ code: 'unavailable' });
  const results = await importEach(many, options, failing(3));
  expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(3);
  expect(results.filter(({ outcome }) => outcome === 'unfinished')).toHaveLength(27);
});

it('takes files only as fast as somebody reads, and no more after the reader left', async () => {
  let taken = 0;
  let ended: () => void;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  async function* endless() {
    try {
      for (;;) yield { path: `org/a${++taken}.md`, text: 'x'.repeat(100_000) };
    } finally {
      ended();
    }
  }
  const zip = zipOf(endless());
  for await (const chunk of zip) {
    expect(chunk.length).toBeLessThanOrEqual(100_000);
    if (taken > 20) break;
  }
  await end;
  expect(taken).toBeLessThan(30);
});
