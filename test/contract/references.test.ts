import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A line of a file of the repository. */
interface Line {
  readonly file: string;
  readonly text: string;
  readonly place: string;
}

const files = tracked().filter((file) => !/(^|\/)package-lock\.json$|\.binpb$|\/sample\/|\/third_party\//.test(file));
const lines = files.flatMap(linesOf);
/** All files and their folders. */
const paths = new Set(tracked().flatMap((file) => [file, ...foldersOf(file)]));
/** The documents whose names in code style that look like paths are paths. */
const forEngineers = /^[A-Z]+\.md$|(?:^|\/)DECISIONS\.md$|^(?:gateway|test|services\/desk|deploy\/local)\/README\.md$/;
/** What a start makes, and names that stand for many. */
const noFiles = new Set('.data/ DATA_DIR/run.json run.json x.test.ts x.mongo.test.ts x-page.tsx utils.ts'.split(' '));

test('every path with an anchor points to a heading', () => {
  const wrong = lines.flatMap((line) =>
    [...line.text.matchAll(/(?<![\w:/.-])([\w./-]+\.md)#([\w-]+)/g)]
      .filter(([, path = '', anchor = '']) => !headingsOf(fileNamed(path, line)).has(anchor))
      .map(([reference]) => `${line.place}: ${reference}`),
  );
  expect(wrong).toEqual([]);
});

test('every link in a document points to a file or a heading', () => {
  const wrong = lines
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap((line) =>
      [...line.text.matchAll(/\]\(([^)\s]+)\)/g)]
        .filter(([, target = '']) => !/^[a-z]+:/.test(target) && !leadsSomewhere(target, line.file))
        .map(([, target]) => `${line.place}: ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('every file and folder that a document for engineers names exists', () => {
  const named = lines
    .filter(({ file }) => forEngineers.test(file))
    .flatMap((line) =>
      [...line.text.matchAll(/`((?:[\w.-]+\/|\w[\w.-]*(?=\.(?:tsx?|mjs|proto|json|yaml)`))[\w./{},-]*)`/g)].flatMap(
        ([, path = '']) => expandBraces(path).map((each) => ({ path: each, line })),
      ),
    );
  expect(named.length).toBeGreaterThan(300);
  const wrong = named.filter(({ path, line }) => !noFiles.has(path) && !isNamed(path, line));
  expect(wrong.map(({ path, line }) => `${line.place}: ${path}`)).toEqual([]);
});

test('the tours of the web desk use the words of its pages', () => {
  const readme = lines.filter(({ file }) => file === 'services/desk/README.md').map(({ text }) => text);
  const tours = readme.slice(readme.indexOf('## Tours in the browser'), readme.indexOf('## Inside')).join(' ');
  const words = [...tours.matchAll(/\*+([^*]+)\*+/g)].map(([, each = '']) => each);
  const pages = lines.filter(({ file }) => /^services\/desk\/src\/(?:pages\/|.*\/?web)(?!.*\.test\.)/.test(file));
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((each) => !pages.some(({ text }) => text.includes(each)))).toEqual([]);
});

test('every decision has its date and at most half a page', () => {
  const documents = files.filter((file) => /(?:^|\/)DECISIONS\.md$/.test(file));
  const decisions = documents.flatMap((file) => {
    const [, ...sections] = readFileSync(join(root, file), 'utf8').split(/^## /m);
    return sections.map((section) => ({ section, place: `${file}: ${section.split('\n', 1)[0]}` }));
  });
  expect(decisions.length).toBeGreaterThan(20);
  const isWhole = (section: string) =>
    /^.+\n\n\*\d{1,2} [A-Z][a-z]+ \d{4}\.\*/.test(section) && section.split('\n').length < 30;
  expect(decisions.filter(({ section }) => !isWhole(section)).map(({ place }) => place)).toEqual([]);
});

test('no comment names a document that is not in the repository', () => {
  const wrong = lines
    .filter(({ text }) => /^\s*(?:\/\/|\/?\*|#)|\s\/\/ /.test(text))
    .flatMap((line) =>
      [...line.text.matchAll(/(?<![\w`/.-])([\w/-]+\.md)\b/g)]
        .filter(([, path = '']) => !existsSync(join(root, fileNamed(path, line))))
        .map(([, path]) => `${line.place}: ${path}`),
    );
  expect(wrong).toEqual([]);
});

test.each([
  ['an issue', /\b[Ii]ssues? #?\d/],
  [
    'a section of a document by its number',
    /\b(?:[Pp]rotocol|[Ss]pecification|[Hh]ardening|[Aa]rchitecture)(?:\.md)?(?: [Ss]ections?)? \d/,
  ],
  ['a document by an old name', /\b(?:protocol|hardening|architecture)\.md\b/],
  ['a section that has no document', /(?<!\bRFC \d{4}|\bRFC \d{4},|\bW3C) [Ss]ections? \d/],
])('nothing refers to %s', (_what, pattern) => {
  expect(lines.filter(({ text }) => pattern.test(text)).map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual(
    [],
  );
});

function tracked(): string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const output = execFileSync('git', listed, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return output.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

function linesOf(file: string): Line[] {
  if (file === 'test/contract/references.test.ts') return [];
  const text = readFileSync(join(root, file), 'utf8');
  if (text.includes('\0')) return [];
  return text.split('\n').map((line, at) => ({ file, text: line, place: `${file}:${at + 1}` }));
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Makes `a/b` and `a/c` of `a/{b,c}`. */
function expandBraces(path: string): string[] {
  const [, before = '', inside, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  return inside === undefined ? [path] : inside.split(',').flatMap((each) => expandBraces(`${before}${each}${after}`));
}

/**
 * Whether a path leads to a file or folder. It begins at the root or beside the document, or is the end of a longer
 * path. In a table whose rows begin with a folder, it stands below that folder.
 */
function isNamed(path: string, { file, text }: Line): boolean {
  const name = path.replace(/\/$/, '');
  const [, row] = /^\| `([\w./-]+)` \|/.exec(text) ?? [];
  if (row !== undefined && row !== path && paths.has(row) && path.endsWith('/')) return paths.has(`${row}/${name}`);
  if (paths.has(name) || paths.has(normalize(join(dirname(file), name)))) return true;
  return [...paths].some((each) => each.endsWith(`/${name}`));
}

/** Finds a file by its path. In documents a path starts at the document, in code at the root. */
function fileNamed(path: string, { file }: Line): string {
  const beside = normalize(join(dirname(file), path));
  return existsSync(join(root, beside)) ? beside : path;
}

function leadsSomewhere(target: string, file: string): boolean {
  const [path = '', anchor] = target.split('#');
  const found = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(join(root, found))) return false;
  return anchor === undefined || headingsOf(found).has(anchor);
}

const known = new Map<string, ReadonlySet<string>>();

/** The anchors of the headings in a document, in the form that GitHub uses. */
function headingsOf(file: string): ReadonlySet<string> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```/gm, '') : '';
  const slugger = new GithubSlugger();
  const headings = new Set([...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slugger.slug(title)));
  known.set(file, headings);
  return headings;
}
