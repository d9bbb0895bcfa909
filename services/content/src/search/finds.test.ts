import { describe } from 'vitest';
import { TextIndex } from './index/text-index.js';
import { testFinding } from './testing/finds.js';

describe('in memory', () => {
  testFinding(
    () => Promise.resolve(new TextIndex()),
    () => Promise.resolve(),
  );
});
