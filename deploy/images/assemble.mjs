#!/usr/bin/env node
// The image build runs this script (see Dockerfile). It puts the installed and built files into the three trees of an
// image.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const options = Object.fromEntries(
  ['deployable', 'production', 'built', 'out'].map((name) => [name, { type: 'string' }]),
);
const { deployable, production, built, out } = parseArgs({ options }).values;

const [runtime, packages, programs] = ['runtime', 'packages', 'programs'].map((name) => join(out, name));
const node = '/usr/local/bin/node';
const user = 10001;

/** Files of packages that no process reads at run time. */
const needless = ['**/*.map', '**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/*.tsbuildinfo'];

const debian = runtimeTree();
packagesTree();
programsTree();
for (const tree of [runtime, packages, programs]) forgetTimes(tree);

/** Copies Node, its libraries and the few files that the C library reads. Returns the names of the Debian packages. */
function runtimeTree() {
  const lines = execFileSync('ldd', [node], { encoding: 'utf8' }).split('\n');
  const libraries = lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  for (const file of [node, ...libraries, '/etc/os-release', '/etc/nsswitch.conf']) {
    if (existsSync(file)) put(realpathSync(file), join(runtime, file));
  }
  write(join(runtime, 'etc/passwd'), `root:x:0:0:root:/:/none\nknowledge:x:${user}:${user}:knowledge:/app:/none\n`);
  write(join(runtime, 'etc/group'), `root:x:0:\nknowledge:x:${user}:\n`);
  mkdirSync(join(runtime, 'tmp'));
  chmodSync(join(runtime, 'tmp'), 0o1777);

  // Image scanners read these files to find the Debian packages in the image.
  const names = new Set(libraries.map(ownerOf));
  for (const name of names) {
    write(join(runtime, 'var/lib/dpkg/status.d', name), execFileSync('dpkg-query', ['--status', name]));
    const copyright = `/usr/share/doc/${name}/copyright`;
    if (existsSync(copyright)) put(realpathSync(copyright), join(runtime, copyright));
  }
  return [...names].sort();
}

/** Finds the Debian package of a library. The package may list the path with or without /usr. */
function ownerOf(library) {
  const paths = [library, realpathSync(library), realpathSync(library).replace(/^\/usr/, '')];
  const found = execFileSync('sh', ['-c', 'dpkg-query --search "$@" 2>/dev/null || true', 'sh', ...paths]);
  const [, name] = /^([^:\s]+)/.exec(found.toString()) ?? [];
  if (name === undefined) throw new Error(`No Debian package owns ${library}.`);
  return name;
}

function packagesTree() {
  for (const folder of globSync(['node_modules', '*/node_modules', '*/*/node_modules'], { cwd: production })) {
    if (/node_modules\/./.test(folder)) continue;
    put(join(production, folder), join(packages, 'app', folder));
  }
  const root = join(packages, 'app');
  for (const file of globSync(needless, { cwd: root })) rmSync(join(root, file), { recursive: true });
  rmSync(join(root, 'node_modules/.bin'), { recursive: true, force: true });
  rmSync(join(root, 'node_modules/.package-lock.json'), { force: true });
}

/** Copies the programs of the deployable and the bill of materials. Programs contain the workspaces that they import. */
function programsTree() {
  const app = join(programs, 'app');
  const scope = join(production, 'node_modules/@knowledge');
  for (const name of readdirSync(scope)) {
    const folder = relative(production, realpathSync(join(scope, name)));
    put(join(production, folder, 'package.json'), join(app, folder, 'package.json'));
    for (const part of ['bundle', 'bin', 'sample', 'pictures']) {
      const from = join(built, folder, part);
      if (existsSync(from)) put(from, join(app, folder, part));
    }
    if (name !== deployable) continue;
    if (!existsSync(join(app, folder, 'bundle'))) throw new Error(`${folder} was not built.`);
    symlinkSync(join(folder, 'bundle'), join(app, 'bundle'));
  }
  for (const file of globSync(needless, { cwd: app })) rmSync(join(app, file));
  write(join(app, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), undefined, 1)}\n`);
}

/** Makes the bill of materials: npm's list plus Node and the Debian packages. It has no place or time of the build. */
function billOfMaterials() {
  const { serialNumber, ...bill } = JSON.parse(readFileSync(join(production, 'sbom.cdx.json'), 'utf8'));
  const { timestamp, ...metadata } = bill.metadata;
  const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const components = [
    { type: 'platform', name: 'node', version: nodeVersion, purl: `pkg:generic/node@${nodeVersion}` },
    ...debian.map((name) => {
      const version = execFileSync('dpkg-query', ['--show', '--showformat', '${Version}', name], { encoding: 'utf8' });
      return { type: 'library', name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}` };
    }),
  ].map((component) => ({ 'bom-ref': component.purl, ...component }));
  const image = { ...metadata.component, name: `knowledge/${deployable}` };
  return {
    ...bill,
    metadata: { ...metadata, component: image },
    components: [...bill.components, ...components],
  };
}

function put(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Sets all file times to 0, so that the same files always give the same layer. */
function forgetTimes(path) {
  for (const entry of globSync('**', { cwd: path }).reverse()) lutimesSync(join(path, entry), 0, 0);
  lutimesSync(path, 0, 0);
}
