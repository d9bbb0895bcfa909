// Makes one file of each program of a package and what it imports, so that a process reads few files when it starts.
// It reads the sources and checks no types: `npm run build` does. Arguments name the programs, in the package's `src`.
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.cwd();

const exportsOf = new Map();
/** Our packages are read from their sources, as their `exports` name them. */
const sources = {
  name: 'sources',
  resolveId(id) {
    const [, name, rest = ''] = /^@knowledge\/([^/]+)(\/.*)?$/.exec(id) ?? [];
    if (name === undefined) return null;
    const from = join(root, name === 'proto' ? name : `services/${name}`);
    if (!exportsOf.has(from)) exportsOf.set(from, JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')).exports);
    const exports = exportsOf.get(from);
    const [, first = '', last = ''] = /^\/([^/]+)\/(.+)$/.exec(rest) ?? [];
    const { default: file } = exports[`.${rest}`] ?? exports[`./${first}/*`];
    return join(from, file.replace('./dist/', 'src/').replace('*', last).replace(/\.js$/, '.ts'));
  },
};

/** The first reads files of its own, and the second has another shape for bundlers than the one that Node loads. */
const apart = ['@grpc/reflection', 'jsonc-parser'];
/** Many libraries of what only runs beside the product read files of their own. */
const libraries = /^(?!node:|@knowledge\/)[@\w]/;

// Running programs may still read the old files while the new ones are made.
const fresh = join('dist', '.bundle');
rmSync(fresh, { recursive: true, force: true });
for (const program of process.argv.slice(2)) {
  const into = basename(dirname(program));
  await build({
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
rmSync('bundle', { recursive: true, force: true });
renameSync(fresh, 'bundle');
