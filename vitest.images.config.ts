import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.js';

/** The images of `npm run images`, run by a container engine. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/images/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test/images/engine-global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
