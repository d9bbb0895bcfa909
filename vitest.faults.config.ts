import { defineConfig } from 'vitest/config';
import { patient, resolve } from './vitest.config.js';

/** Faults: processes killed and stopped under load. Longer than `npm test`, one file at a time. */
export default defineConfig({
  resolve,
  test: {
    ...patient,
    include: ['test/faults/**/*.test.ts', 'services/*/src/**/*.faults.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test/harness/mongodb-global-setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
