import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.js';

/** Programs of others (Schemathesis, Redocly, Spectral) on a real system; test/strangers/tools.sh installs them. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/strangers/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test/harness/mongodb-global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
