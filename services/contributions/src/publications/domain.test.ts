import { hiddenFault, shownLineFault } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contribution } from '../domain/contribution.js';
import { type CatalogObject, catalogObject, hiddenIn } from './domain.js';

function objectOf(fields: Partial<Contribution>): CatalogObject {
  return catalogObject({ title: null, prompt: null, name: null, body: 'A body.', ...fields } as Contribution);
}

describe('catalogObject', () => {
  it('has the title of a story; the title of a reply names its prompt', () => {
    expect(objectOf({ title: ' As  sent ' }).title).toBe(' As  sent ');
    const prompt = { id: 'p', question: 'What surprised you\nmost?' };
    expect(objectOf({ prompt })).toMatchObject({ title: 'Reply to: What surprised you most?', prompt });
  });

  it('shortens a long question after a whole word', () => {
    const { title } = objectOf({ prompt: { id: 'p', question: 'word '.repeat(100) } });
    expect([...title].length).toBeLessThanOrEqual(200);
    expect(title).toMatch(/^Reply to: word .*word…$/);
  });

  it('shows the given name, but never an e-mail address', () => {
    expect(objectOf({ name: ' Jo  Doe ' }).author).toBe('Jo  Doe');
    expect(objectOf({ name: 'Jo <jo@example.org>' }).author).toBe('');
    expect(objectOf({ name: 'jo＠example.org' }).author).toBe('');
    expect(objectOf({ name: null }).author).toBe('');
  });

  it('contains no hidden characters, except those that a script or an emoji needs', () => {
    const body = 'The limit was \u202e0001\u202c, کتاب\u200cها \u{1f468}\u200d\u{1f469}\u200d\u{1f467}.';
    const shown = objectOf({ title: 'Refund \u202egnp.exe', name: 'Jo\u200b', body });
    expect(shown).toMatchObject({ title: 'Refund gnp.exe', author: 'Jo' });
    expect(shown.body).toBe('The limit was 0001, کتاب\u200cها \u{1f468}\u200d\u{1f469}\u200d\u{1f467}.');
  });

  it('does not leave half an emoji when it shortens a question', () => {
    const { title } = objectOf({ prompt: { id: 'p', question: '\u{1f468}\u200d\u{1f469}\u200d'.repeat(70) } });
    expect(hiddenFault(title)).toBeUndefined();
  });

  it('is always accepted by the catalog', () => {
    const text = fc.string({ unit: 'binary', maxLength: 160 });
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: null }), (title, name, question) => {
        const object = objectOf({ title, name, prompt: question === null ? null : { id: 'p', question } });
        expect(object.title.trim()).not.toBe('');
        expect(object.title + object.author).not.toMatch(/\p{Cc}/u);
        expect(hiddenFault(object.title) ?? hiddenFault(object.author)).toBeUndefined();
        expect(object.prompt?.question ?? '').not.toMatch(/[^\P{Cc}\t\n\r]/u);
      }),
    );
  });
});

it.each(['Why\u2028this?', 'Why\\nthis?', `Wh${'\u0301'.repeat(20)}y this?`])(
  'has a title that the catalog takes, whatever the question: %j',
  (question) => {
    const { title } = objectOf({ prompt: { id: 'p', question } });
    expect(shownLineFault('title', title, bounds.articleTitle)).toBeUndefined();
  },
);

it('is untitled if no character of the title can be shown', () => {
  for (const title of ['', '  ', '\n', '\u200b', null]) expect(objectOf({ title }).title).toBe('Untitled');
});

it('has title and author on one line each, without control characters', () => {
  const { title, author } = objectOf({ title: '\tOne \r\n two\u0007', name: 'Jo\n\n Doe' });
  expect([title, author]).toEqual(['One two', 'Jo Doe']);
  const prompt = { id: 'p', question: 'Why\u0007 this\nand\u200b that?' };
  expect(objectOf({ prompt }).prompt).toEqual({ id: 'p', question: 'Why  this\nand that?' });
  expect(objectOf({}).prompt).toBeNull();
});

type Fields = Parameters<typeof hiddenIn>[0];

const fields = (sent: Partial<Fields>) => hiddenIn({ title: null, name: null, body: '', ...sent } as Fields);

it('lists each hidden character with its field and position', () => {
  expect(fields({ title: 'A\u202eB', name: 'Jo\u200b', body: '\u200bx' })).toEqual([
    'title: U+202E (right-to-left override) at character 2',
    'name: U+200B (zero-width space) at character 3',
    'body: U+200B (zero-width space) at character 1',
  ]);
  expect(fields({ body: 'nothing is hidden' })).toEqual([]);
});

it('lists at most ten hidden characters of a contribution', () => {
  expect(fields({ title: '\u200b'.repeat(4), body: '\u200b'.repeat(50) })).toHaveLength(10);
});
