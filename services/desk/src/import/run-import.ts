import { readFileSync } from 'node:fs';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Deadline, deadlineIn } from '@knowledge/runtime/client';
import { describeFailure } from '../failure.js';
import { createProgress } from '../print/progress.js';
import { terminalSafeLine } from '../print/terminal-safe.js';
import { connectTimeoutMs, type Session } from '../session.js';
import { FileProblem } from './file-problem.js';
import { type MarkdownDocument, readFrontMatter } from './front-matter.js';
import { findMarkdownFiles, type MarkdownFile } from './markdown-files.js';
import { inParallel } from './parallel.js';
import type { PutResult } from './put-result.js';

interface ImportResult {
  imported: number;
  unchanged: number;
  readonly failed: { file: string; problem: string }[];
  dry_run?: true;
}

/** How to read and send the files of one kind of content. */
export interface ImportKind<Request> {
  read(document: MarkdownDocument): { request: Request; key: string; unknown: readonly string[] };
  /** Sends a request. With `validateOnly` the service checks it and writes nothing. */
  put(request: Request, validateOnly: boolean): Promise<PutResult>;
  /** Resolves when the service responds. */
  ready(deadline: Deadline): Promise<void>;
}

export interface ImportOptions {
  readonly dryRun?: boolean;
}

const concurrency = 8;

/**
 * Imports every Markdown file of a directory; safe to repeat. It writes nothing until the service has accepted all
 * files. Prints the result and returns the exit code.
 */
export async function runImport<Request>(
  session: Session,
  directory: string,
  { dryRun = false }: ImportOptions,
  kind: ImportKind<Request>,
): Promise<number> {
  const files = findMarkdownFiles(session.host.cwd, directory);
  if (files.length === 0) session.print.note(`There are no .md files in ${directory}.`);
  let result = await checkAll(session, files, kind);
  const refused = result.failed.length > 0;
  if (!refused && !dryRun) result = await putAll(session, files, kind, false);
  result.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  session.print.result(dryRun ? { ...result, dry_run: true as const } : result, (shown) => format(shown, refused));
  return result.failed.length === 0 ? 0 : 1;
}

/** Checks all files here and in the service, and collects every fault. */
async function checkAll<Request>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
): Promise<ImportResult> {
  const faults = readAll(session, files, kind);
  const faulty = new Set(faults.map(({ file }) => file));
  const readable = files.filter(({ name }) => !faulty.has(name));
  if (readable.length === 0) return { imported: 0, unchanged: 0, failed: faults };
  try {
    await kind.ready(deadlineIn(connectTimeoutMs));
  } catch (error) {
    if (faults.length === 0) throw error;
    session.print.note(`The other files were not checked: ${problemOf(error, session).problem}`);
    return { imported: 0, unchanged: 0, failed: faults };
  }
  const checked = await putAll(session, readable, kind, true);
  const failed = [...faults, ...checked.failed];
  return failed.length > 0 ? { imported: 0, unchanged: 0, failed } : checked;
}

/** Reads every file and collects the faults of all files. */
function readAll<Request>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
): ImportResult['failed'] {
  const owners = new Map<string, string>();
  const failed: ImportResult['failed'] = [];
  for (const file of files) {
    try {
      const { key, unknown } = readRequest(file, kind);
      const owner = owners.get(key);
      if (owner !== undefined) throw new FileProblem(`is a duplicate of ${owner}: ${key}`);
      owners.set(key, file.name);
      if (unknown.length > 0) session.host.stderr.write(`${terminalSafeLine(ignored(file, unknown))}\n`);
    } catch (error) {
      failed.push({ file: file.name, problem: problemOf(error, session).problem });
    }
  }
  return failed;
}

async function putAll<Request>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
  validateOnly: boolean,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, unchanged: 0, failed: [] };
  const progress = createProgress(session.host.stderr, validateOnly ? 'files checked' : 'files', files.length);
  let outage: string | undefined;
  await inParallel(files, concurrency, async (file) => {
    try {
      if (session.host.interrupted.aborted) throw new FileProblem('not tried: the import was interrupted');
      if (outage !== undefined) throw new FileProblem(`not tried: ${outage}`);
      const { outcome, note } = await kind.put(readRequest(file, kind).request, validateOnly);
      if (note !== undefined && validateOnly) session.print.note(`${file.name}: ${note}`);
      if (outcome === PutOutcome.UNCHANGED) result.unchanged++;
      else result.imported++;
    } catch (error) {
      const { code, problem } = problemOf(error, session);
      if (outageCodes.has(code)) outage ??= problem;
      result.failed.push({ file: file.name, problem });
    }
    progress.step();
  });
  progress.end();
  return result;
}

function readRequest<Request>(file: MarkdownFile, kind: ImportKind<Request>): ReturnType<ImportKind<Request>['read']> {
  return kind.read(readFrontMatter(readFileSync(file.path)));
}

// After one of these errors all other files would fail too, so the import stops.
const outageCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'unimplemented',
  'permission_denied',
  'unauthenticated',
]);

function problemOf(error: unknown, session: Session): { code: string; problem: string } {
  if (error instanceof FileProblem) return { code: 'file', problem: terminalSafeLine(error.message) };
  const { code, message } = describeFailure(error, session.calledAddresses);
  return { code, problem: `${code}: ${message}` };
}

function ignored(file: MarkdownFile, unknown: readonly string[]): string {
  return `${file.name}: ignored ${unknown.length === 1 ? 'the unknown field' : 'the unknown fields'} ${unknown.join(', ')}`;
}

function format({ imported, unchanged, failed, dry_run }: ImportResult, refused: boolean): string {
  const done = dry_run
    ? `${imported} would be imported, ${unchanged} unchanged`
    : `${imported} imported, ${unchanged} unchanged`;
  if (failed.length === 0) return done;
  const lines = failed.map(({ file, problem }) => `\n  ${terminalSafeLine(file)}: ${problem}`);
  const why = refused
    ? `\n${dry_run ? 'Nothing would be imported' : 'Nothing was imported'} because of these faults.`
    : '';
  return `${done}, ${failed.length} failed:${lines.join('')}${why}`;
}
