import { expect, it } from 'vitest';
import { createCompounds } from '../analysis/compounds.js';
import { analyseBlocks, longestShown } from '../index/analysed-blocks.js';
import { keepBlocks, readBlocks } from './kept-blocks.js';

const compounds = createCompounds();
compounds.learn('rechte');
compounds.learn('zugriff');

function preparedOf(blocks: ReturnType<typeof analyseBlocks>) {
  const terms = (isHeading: boolean) =>
    blocks.flatMap((block) => (block.isHeading === isHeading ? block.terms : [])).join(' ');
  return { prepared: ['', '', '', '', terms(true), terms(false), ''].join('\n') };
}

it('gives the blocks back with their terms and places', () => {
  const body = '# Okapi und Zebra\n\nZugriffsrechte für alle.\n\n## Und\n\n- Quagga\n- und\n\n```\nEin Wort\n```';
  const blocks = analyseBlocks({ language: 'de', body }, compounds);
  expect(blocks.flatMap(({ terms }) => terms)).toContain('recht');
  expect(readBlocks(keepBlocks(blocks), preparedOf(blocks))).toEqual(blocks);
});

it('keeps the beginning of a long body, and only terms that are whole in it', () => {
  const body = `# Okapi\n\n${'zebra '.repeat(longestShown / 6)}\n\nQuagga`;
  const blocks = analyseBlocks({ language: 'en', body }, compounds);
  const kept = readBlocks(keepBlocks(blocks), preparedOf(blocks));
  expect(kept).toHaveLength(2);
  expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBe(longestShown);
  const last = kept[1];
  expect(last?.terms.length).toBe(longestShown / 6 - 1);
  expect(last?.places.at(-1)).toBeLessThanOrEqual(longestShown);
});

it('keeps a body without words', () => {
  const blocks = analyseBlocks({ language: 'en', body: '***' }, compounds);
  expect(readBlocks(keepBlocks(blocks), preparedOf(blocks))).toEqual(blocks);
});
