import { describe, expect, it } from 'vitest';
import { hashOf, piecesOf } from './pieces.js';

const text = { title: 'Nights', summary: 'On call', gloss: undefined, body: '' };

describe('the pieces of a text', () => {
  it('are its head, that of its gloss, and passages under their headings', () => {
    const body = 'Before.\n\n## Rota\n\nOne week each.\n\nTwo people.\n\n## Pay\n\n- by hour\n- by call';
    expect(piecesOf({ ...text, gloss: { title: 'Shifts', summary: 'Plant' }, body })).toEqual({
      heads: ['Nights. On call', 'Shifts. Plant'],
      passages: ['Before.', 'Rota. One week each. Two people.', 'Pay. by hour by call'],
    });
    expect(piecesOf(text)).toEqual({ heads: ['Nights. On call'], passages: [] });
  });

  it('are bounded in length and number, whatever the body has', () => {
    const bodies = [
      'word '.repeat(40_000),
      'x'.repeat(200_000),
      `# ${'h'.repeat(90_000)}\n\nbody`,
      'a\n\n'.repeat(60_000),
    ];
    for (const body of bodies) {
      const { passages } = piecesOf({ ...text, body });
      expect(passages.length).toBeGreaterThan(0);
      expect(passages.length).toBeLessThanOrEqual(60);
      expect(Math.max(...passages.map(({ length }) => length))).toBeLessThanOrEqual(1010);
    }
  });

  it('are cut between words', () => {
    const { passages } = piecesOf({ ...text, body: 'handover '.repeat(300) });
    expect(new Set(passages.join(' ').split(' '))).toEqual(new Set(['handover']));
  });

  it('have another hash when a word changes or moves', () => {
    const hashes = [
      text,
      { ...text, summary: 'On-call' },
      { ...text, body: 'On call' },
      { ...text, gloss: { title: '', summary: '' } },
    ].map((each) => hashOf(piecesOf(each)));
    expect(new Set(hashes).size).toBe(4);
    expect(hashOf(piecesOf({ ...text }))).toBe(hashes[0]);
  });
});
