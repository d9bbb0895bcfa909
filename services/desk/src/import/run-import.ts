import { readFileSync } from 'node:fs';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Deadline, deadlineIn } from '@knowledge/runtime';
import { describeFailure } from '../failure.js';
import { cleanLine } from '../print/clean.js';
import { createProgress } from '../print/progress.js';
import { reachableMs, type Session } from '../session.js';
import { type Document, FileProblem, readFrontMatter } from './front-matter.js';
import { findMarkdownFiles, type MarkdownFile } from './markdown-files.js';
import { inParallel } from './parallel.js';

/** What came of an import. */
interface ImportResult {
  imported: number;
  unchanged: number;
  readonly failed: { file: string; problem: string }[];
}

/** How the files of one kind of content become requests, and how one is put in. */
export interface ImportKind<Request> {
  read(document: Document): { request: Request; key: string; unknown: readonly string[] };
  put(request: Request): Promise<{ outcome: PutOutcome }>;
  /** Resolves when the service that takes them is reached. */
  ready(deadline: Deadline): Promise<void>;
}

/** A file may be large and a database busy. */
export const importLimits = { deadlineMs: 10_000 };

const atOnce = 8;

/**
 * Imports every Markdown file of a directory, each on its own, so that one bad file stops no other; safe to repeat.
 * Prints the result and gives the exit code.
 */
export async function runImport<Request>(
  session: Session,
  directory: string,
  kind: ImportKind<Request>,
): Promise<number> {
  const files = findMarkdownFiles(session.host.cwd, directory);
  if (files.length === 0) session.print.note(`There are no .md files in ${directory}.`);
  const result: ImportResult = { imported: 0, unchanged: 0, failed: [] };
  if (files.length > 0) await kind.ready(deadlineIn(reachableMs));
  const progress = createProgress(session.host.stderr, 'files', files.length);
  const owners = new Map<string, string>();
  let lost: string | undefined;

  await inParallel(files, atOnce, async (file) => {
    try {
      if (session.host.interrupted.aborted) throw new FileProblem('not tried: the import was interrupted');
      if (lost !== undefined) throw new FileProblem(`not tried: ${lost}`);
      const { request, unknown } = readOne(file, kind, owners);
      if (unknown.length > 0) session.host.stderr.write(`${cleanLine(ignored(file, unknown))}\n`);
      const { outcome } = await kind.put(request);
      if (outcome === PutOutcome.UNCHANGED) result.unchanged++;
      else result.imported++;
    } catch (error) {
      const { code, problem } = problemOf(error, session);
      if (lostCodes.has(code)) lost ??= problem;
      result.failed.push({ file: file.name, problem });
    }
    progress.step();
  });
  progress.end();
  result.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  session.print.thing(result, format);
  return result.failed.length === 0 ? 0 : 1;
}

// At once, so that of two files for one thing the first in the order of names is always the one that counts.
function readOne<Request>(file: MarkdownFile, kind: ImportKind<Request>, owners: Map<string, string>) {
  const read = kind.read(readFrontMatter(readFileSync(file.path)));
  const owner = owners.get(read.key);
  if (owner !== undefined) throw new FileProblem(`is the same thing as ${owner}: ${read.key}`);
  owners.set(read.key, file.name);
  return read;
}

// What is wrong with the system is wrong for every other file too.
const lostCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'unimplemented',
  'permission_denied',
  'unauthenticated',
]);

function problemOf(error: unknown, session: Session): { code: string; problem: string } {
  if (error instanceof FileProblem) return { code: 'file', problem: cleanLine(error.message) };
  const { code, message } = describeFailure(error, session.called);
  return { code, problem: `${code}: ${message}` };
}

function ignored(file: MarkdownFile, unknown: readonly string[]): string {
  return `${file.name}: ignored ${unknown.length === 1 ? 'the unknown field' : 'the unknown fields'} ${unknown.join(', ')}`;
}

function format({ imported, unchanged, failed }: ImportResult): string {
  const lines = failed.map(({ file, problem }) => `\n  ${cleanLine(file)}: ${problem}`);
  const failures = failed.length === 0 ? '' : `, ${failed.length} failed:${lines.join('')}`;
  return `${imported} imported, ${unchanged} unchanged${failures}`;
}
