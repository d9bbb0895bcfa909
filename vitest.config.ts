import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Alias } from 'vite';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const services = readdirSync(join(root, 'services'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const packages = ['proto', 'gateway', ...services.map(({ name }) => `services/${name}`)];
const sources = '{proto,gateway,services/*,deploy/*}/src/**';
/** How every test resolves the packages of the workspace. */
export const resolve = { alias: packages.flatMap(sourceAliases) };

/** Files that only compute, or have a database of their own, side by side; whole systems, which time things, one by one. */
const together = { maxWorkers: 2, sequence: { groupOrder: 0 } };
const alone = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** Conditions are waited for as long as a busy machine may need. */
export const patient = { setupFiles: [join(root, 'test/harness/patience.ts')], expect: { poll: { timeout: 8000 } } };

/**
 * `unit` needs nothing, `mongodb` a real mongod that its global setup finds or starts, `system` the built processes
 * (`npm run build` first), `browser` a Chromium beside them. A path picks files: `npx vitest run services/quota`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          ...together,
          ...patient,
          include: [`${sources}/*.test.ts`, 'test/harness/**/*.test.ts'],
          exclude: ['**/*.{mongo,faults}.test.ts', '**/node_modules/**', '**/dist/**'],
          testTimeout: 15_000,
          hookTimeout: 20_000,
        },
      },
      {
        resolve,
        test: {
          name: 'mongodb',
          ...together,
          ...patient,
          include: [`${sources}/*.mongo.test.ts`],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['test/harness/mongodb-global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'system',
          ...alone,
          ...patient,
          include: ['test/{contract,e2e}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['test/harness/mongodb-global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        test: {
          name: 'browser',
          ...alone,
          ...patient,
          include: ['test/browser/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['test/harness/mongodb-global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

/** Lets tests run from the sources of every package, as its `exports` name them, so that no test reads a stale `dist`. */
function sourceAliases(folder: string): Alias[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports?: Record<string, string | { default?: string }>;
  };
  return Object.entries(exports ?? {}).flatMap(([subpath, target]) => {
    const file = typeof target === 'string' ? target : target.default;
    if (file === undefined || !/^\.\/dist\/.*\.js$/.test(file)) return [];
    const find = new RegExp(`^${(name + subpath.slice(1)).replaceAll('.', '\\.').replace('*', '(.+)')}$`);
    const replacement = join(root, folder, file.replace('./dist/', 'src/').replace(/\.js$/, '.ts').replace('*', '$1'));
    return [{ find, replacement }];
  });
}
