import { describe } from 'vitest';
import { createTextIndex } from './index/text-index.js';
import { testFinding } from './testing/finds.js';

describe('in memory', () => {
  testFinding(
    () => Promise.resolve(createTextIndex(Number.POSITIVE_INFINITY, () => undefined)),
    () => Promise.resolve(),
  );
});
