import { readFile } from 'node:fs/promises';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime';
import { describeFailure } from '../failure.js';
import { cleanLine } from '../print/clean.js';
import { createProgress } from '../print/progress.js';
import type { Session } from '../session.js';
import { type Document, FileProblem, readFrontMatter } from './front-matter.js';
import { findMarkdownFiles, type MarkdownFile } from './markdown-files.js';
import { inParallel } from './parallel.js';

/** What came of an import. */
export interface ImportResult {
  imported: number;
  unchanged: number;
  readonly failed: { file: string; problem: string }[];
}

/** How the files of one kind of content become requests, and how one is put in. */
export interface ImportKind<Request> {
  read(document: Document): { request: Request; key: string; unknown: readonly string[] };
  put(request: Request): Promise<{ outcome: PutOutcome }>;
}

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
  const progress = createProgress(session.host.stderr, 'imported', files.length);
  const owners = new Map<string, string>();
  let away = false;

  await inParallel(files, atOnce, async (file) => {
    try {
      if (session.host.interrupted.aborted) throw new FileProblem('not tried: the import was interrupted');
      if (away) throw new FileProblem('not tried: the content service does not answer');
      const { request, unknown } = await readOne(file, kind, owners);
      if (unknown.length > 0) session.host.stderr.write(`${cleanLine(ignored(file, unknown))}\n`);
      const { outcome } = await kind.put(request);
      if (outcome === PutOutcome.UNCHANGED) result.unchanged++;
      else result.imported++;
    } catch (error) {
      away ||= hasCode(error, 'unavailable');
      result.failed.push({ file: file.name, problem: problemOf(error, session) });
    }
    progress.step();
  });
  progress.end();
  result.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  session.print.thing(result, format);
  return result.failed.length === 0 ? 0 : 1;
}

async function readOne<Request>(file: MarkdownFile, kind: ImportKind<Request>, owners: Map<string, string>) {
  const read = kind.read(readFrontMatter(await readFile(file.path)));
  // Two files for one thing would overwrite each other at every import.
  const owner = owners.get(read.key);
  if (owner !== undefined) throw new FileProblem(`is the same as ${owner}: both are ${read.key}`);
  owners.set(read.key, file.name);
  return read;
}

function problemOf(error: unknown, session: Session): string {
  if (error instanceof FileProblem) return cleanLine(error.message);
  const { code, message } = describeFailure(error, session.called);
  return `${code}: ${message}`;
}

function ignored(file: MarkdownFile, unknown: readonly string[]): string {
  return `${file.name}: ignored ${unknown.length === 1 ? 'the unknown field' : 'the unknown fields'} ${unknown.join(', ')}`;
}

function format({ imported, unchanged, failed }: ImportResult): string {
  const lines = failed.map(({ file, problem }) => `\n  ${cleanLine(file)}: ${problem}`);
  const failures = failed.length === 0 ? '' : `, ${failed.length} failed:${lines.join('')}`;
  return `${imported} imported, ${unchanged} unchanged${failures}`;
}
