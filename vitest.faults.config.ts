import { defineConfig } from 'vitest/config';

/** Faults: processes killed and stopped under load. Longer than `npm test`, one file at a time. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test/harness/mongodb-global-setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
