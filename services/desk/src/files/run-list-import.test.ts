import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { UsageError } from '../base/desk-error.js';
import { readYamlList } from './run-list-import.js';

const directory = ownFolder();

const read = (content: string | Buffer) => {
  writeFileSync(join(directory, 'list.yaml'), content);
  return readYamlList(directory, 'list.yaml');
};

it('reads every value as text', () => {
  expect(read('# seed\n- words: [NO, 2026, 1.0]\n- words: [a]\n  from: []\n')).toEqual([
    { words: ['NO', '2026', '1.0'] },
    { words: ['a'], from: [] },
  ]);
});

it.each<[string, string | Buffer, RegExp]>([
  ['no list', 'words: [a]', /must be a YAML list/],
  ['an empty file', '', /must be a YAML list|is not YAML/],
  ['a list of texts', '- a\n', /must be a YAML list/],
  ['broken YAML', '- words: [a\n- b: "\n', /is not YAML: .*line/],
  ['a value that is no text', '- b: !!js/function "x"\n', /is not YAML/],
  ['another encoding', Buffer.from([0x2d, 0x20, 0xff]), /not UTF-8/],
  ['a huge file', `# ${'x'.repeat(5 * 1024 * 1024)}`, /larger than 4 MiB/],
])('refuses %s', (_what, content, message) => {
  expect(() => read(content)).toThrow(UsageError);
  expect(() => read(content)).toThrow(message);
});

it('names a file that is not there', () => {
  expect(() => readYamlList(directory, 'none.yaml')).toThrow('none.yaml cannot be read (ENOENT)');
});
