import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Alias } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const services = readdirSync(join(root, 'services'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const packages = ['proto', 'gateway', 'deploy/local', ...services.map(({ name }) => `services/${name}`)];
const sources = '{proto,gateway,services/*,deploy/*}/src/**';
const aliases = packages.flatMap(sourceAliases);
const mongodb = 'test/harness/mongodb-global-setup.ts';
const second = 1000;

/** Three files run side by side, since each has its own databases, ports and processes, and mostly waits. */
const together = { maxWorkers: 3, sequence: { groupOrder: 0 } };
/** The same in three processes that load every module once. */
const sharing = { ...together, isolate: false };
const alone = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** They count the CPU time of their own process, which another beside it hardly changes. */
const costs = '{gateway,services/*}/src/**/*.cost.test.ts';

/** They count seconds or megabytes, or send 500 texts, so nothing runs beside them. */
const measured = [
  'test/e2e/{desk-waves,hostile-http,large-articles,worst-requests}.test.ts',
  'gateway/src/api/validation/body-bounds.test.ts',
];

/** They run `npm start`, which is a system of its own, and the lines of the documents on it. */
const starts = ['test/e2e/{documents-run,failed-starts,install,start}.test.ts'];

/** They read or change the single modules that only `npm run build` makes; all others need the bundles. */
const built = ['test/contract/architecture.test.ts', 'test/e2e/product-rules.test.ts'];

/** What runs where the command line names no `--project`. */
const usual = { project: ['unit', 'mongodb', 'system'] };

/**
 * The first three projects are `npm test`; a path picks files of them: `npx vitest run services/quota`.
 * The others need more time or more tools; each has a script in package.json and is picked by `--project`.
 */
export default defineConfig({
  test: {
    ...usual,
    projects: [
      // Needs nothing.
      project('unit', {
        ...sharing,
        include: [`${sources}/*.test.ts`, 'test/{harness,search}/**/*.test.ts'],
        exclude: ['**/*.{mongo,faults,opensearch}.test.ts', '**/node_modules/**', '**/dist/**', costs, ...measured],
        testTimeout: 15 * second,
        hookTimeout: 20 * second,
      }),
      // Needs a real mongod, which the global setup finds or starts.
      project('mongodb', {
        ...sharing,
        include: [`${sources}/*.mongo.test.ts`],
        globalSetup: [mongodb],
        testTimeout: 30 * second,
        hookTimeout: 60 * second,
      }),
      // Needs the bundles of the processes (`turbo run bundle`).
      project('system', {
        ...sharing,
        include: ['test/{contract,e2e}/**/*.test.ts'],
        exclude: [...measured, ...starts, ...built],
        globalSetup: [mongodb],
        testTimeout: 60 * second,
        hookTimeout: 120 * second,
      }),
      // Needs what `system` needs, and Python 3.
      project('start', {
        ...together,
        include: [...starts, ...built],
        globalSetup: [mongodb],
        testTimeout: 60 * second,
        hookTimeout: 120 * second,
      }),
      // Needs the built processes and a Chromium.
      project('browser', {
        ...together,
        include: ['test/browser/**/*.test.ts'],
        globalSetup: [mongodb],
        testTimeout: 60 * second,
        hookTimeout: 120 * second,
      }),
      // Needs nothing.
      project('cost', { ...sharing, maxWorkers: 2, include: [costs], testTimeout: 60 * second }),
      // Needs what `system` needs.
      project('measured', {
        include: measured,
        globalSetup: [mongodb],
        testTimeout: 60 * second,
        hookTimeout: 120 * second,
      }),
      // Processes killed and stopped under load.
      project('faults', {
        ...sharing,
        maxWorkers: 2,
        include: ['test/faults/**/*.test.ts', 'services/*/src/**/*.faults.test.ts'],
        globalSetup: [mongodb],
        testTimeout: 180 * second,
        hookTimeout: 120 * second,
      }),
      // The second engine of search, with a real OpenSearch, which needs Java.
      project('search-engine', {
        include: ['services/content/src/**/*.opensearch.test.ts', 'test/search-engine/**/*.test.ts'],
        globalSetup: [mongodb, 'test/harness/opensearch/global-setup.ts'],
        testTimeout: 120 * second,
        hookTimeout: 180 * second,
      }),
      // What operators do: backup and restore, manifests, a cluster.
      project('deploy', {
        include: ['test/deploy/**/*.test.ts'],
        testTimeout: 120 * second,
        hookTimeout: 180 * second,
      }),
      // The images of `npm run images`, run by a container engine.
      project('images', {
        include: ['test/images/**/*.test.ts'],
        globalSetup: ['test/images/engine-global-setup.ts'],
        testTimeout: 120 * second,
        hookTimeout: 300 * second,
      }),
      // Dashboard and alert rules with a real Prometheus (Debian's package) and a real system.
      project('monitoring', {
        include: ['test/monitoring/**/*.test.ts'],
        globalSetup: [mongodb],
        testTimeout: 60 * second,
        hookTimeout: 180 * second,
      }),
      // Programs of others (Schemathesis, Redocly, Spectral) on a real system; test/strangers/tools.sh installs them.
      project('strangers', {
        include: ['test/strangers/**/*.test.ts'],
        globalSetup: [mongodb],
        testTimeout: 120 * second,
        hookTimeout: 180 * second,
      }),
    ],
  },
});

/** Conditions are waited for as long as a busy machine may need: `patience.ts` and the time-out of polls. */
function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    resolve: { alias: aliases },
    test: {
      name,
      ...alone,
      exclude: ['**/node_modules/**', '**/dist/**'],
      setupFiles: [join(root, 'test/harness/patience.ts')],
      expect: { poll: { timeout: 8 * second } },
      ...test,
    },
  };
}

/** Lets tests run from the sources of every package, as its `exports` name them, so that no test reads a stale `dist`. */
function sourceAliases(folder: string): Alias[] {
  const { name, exports, imports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    exports?: Targets;
    imports?: Targets;
  };
  const named = Object.entries(exports ?? {}).map(([subpath, target]) => [name + subpath.slice(1), target] as const);
  return [...named, ...Object.entries(imports ?? {})].flatMap(([specifier, target]) => {
    const file = typeof target === 'string' ? target : target.default;
    if (file === undefined || !/^\.\/dist\/.*\.js$/.test(file)) return [];
    const find = new RegExp(`^${specifier.replaceAll('.', '\\.').replace('*', '(.+)')}$`);
    const replacement = join(root, folder, file.replace('./dist/', 'src/').replace(/\.js$/, '.ts').replace('*', '$1'));
    return [{ find, replacement }];
  });
}

type Targets = Record<string, string | { default?: string }>;
