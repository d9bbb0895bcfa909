import { vi } from 'vitest';

/** A busy machine may take this long for what an idle one does at once; shorter than the limit of the shortest test. */
const patienceMs = 8000;

const { waitFor } = vi;

// The default is a second: tests that waited for a condition failed where the machine had other work to do.
vi.waitFor = (condition, options = {}) =>
  waitFor(condition, typeof options === 'number' ? options : { timeout: patienceMs, interval: 20, ...options });
