// Makes one file of each program of a package and what it imports. So a process reads few files when it starts.
// This reads the sources and checks no types: `npm run build` does. `programs` in package.json names them, in `src`.
// Arguments name the packages; without them it is that of the current folder.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = process.argv.length > 2 ? process.argv.slice(2) : ['.'];

const exportsOf = new Map();
/** Our packages are read from their sources, as their `exports` name them. */
const sources = {
  name: 'sources',
  resolveId: {
    filter: { id: /^@knowledge\// },
    handler(id) {
      const [, name = '', rest = ''] = /^@knowledge\/([^/]+)(\/.*)?$/.exec(id) ?? [];
      const from = join(root, name === 'proto' ? name : `services/${name}`);
      if (!exportsOf.has(from)) exportsOf.set(from, readPackage(from).exports);
      const exports = exportsOf.get(from);
      const [, first = '', last = ''] = /^\/([^/]+)\/(.+)$/.exec(rest) ?? [];
      const { default: file } = exports[`.${rest}`] ?? exports[`./${first}/*`];
      return join(from, file.replace('./dist/', 'src/').replace('*', last).replace(/\.js$/, '.ts'));
    },
  },
};

/**
 * The first reads files of its own. The second has another shape for bundlers than the one that Node loads. The third
 * is a quarter of what is to bundle, and only content with a cluster loads it.
 */
const apart = ['@grpc/reflection', 'jsonc-parser', '@opensearch-project/opensearch'];
/** Many libraries of what only runs beside the product read files of their own. */
const libraries = /^(?!node:|@knowledge\/)[@\w]/;

// One after the other costs the least CPU time: each build uses every core.
for (const folder of folders) await bundle(resolve(folder));

async function bundle(folder) {
  const [fresh, kept, old] = ['dist/.bundle', 'bundle', 'dist/.old-bundle'].map((path) => join(folder, path));
  // An ended build may have left them.
  for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true });
  for (const program of readPackage(folder).programs) {
    const into = basename(dirname(program));
    await build({
      cwd: folder,
      input: join(folder, 'src', `${program}.ts`),
      platform: into === 'browser' ? 'browser' : 'node',
      external: basename(folder) === 'local' ? libraries : apart,
      plugins: [sources],
      // It would take out calls that only look unused, such as one of decodeURIComponent that is made for its error.
      treeshake: false,
      output: { dir: join(fresh, into), format: 'esm', minify: false, entryFileNames: '[name].js' },
      logLevel: 'warn',
    });
  }
  // Running programs may still read the old files while the new ones are made.
  if (existsSync(kept)) renameSync(kept, old);
  renameSync(fresh, kept);
  rmSync(old, { recursive: true, force: true });
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
