import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.js';

/** Dashboard and alert rules with a real Prometheus (`promtool` and `prometheus`, Debian's package) and a real system. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/monitoring/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['test/harness/mongodb-global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
