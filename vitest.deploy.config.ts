import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.js';

/** What operators do: images, backup and restore. Needs the built processes; one file at a time. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/deploy/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
