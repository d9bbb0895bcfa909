import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Deadline, deadlineIn } from '@knowledge/runtime/client';
import { concernsOneThing, UsageError } from '../base/desk-error.js';
import { describeFailure } from '../base/failure.js';
import { createProgress } from '../base/printer.js';
import { connectTimeoutMs, type Session } from '../base/session.js';
import { count, terminalSafeLine } from '../base/text.js';
import { FileProblem, LeftOut } from './fields.js';
import { inLinesOf, type MarkdownDocument, readFrontMatter } from './front-matter.js';
import { countNotes, inParallel, type PutResult } from './put-result.js';

interface ImportResult {
  imported: number;
  /** How many of them are new; the others change what is there. */
  created: number;
  unchanged: number;
  readonly failed: { file: string; problem: string }[];
  /** The files that are no texts to import. */
  left_out?: { file: string; problem: string }[];
  /** The number of files with each kind of note. */
  notes?: Readonly<Record<string, number>>;
  dry_run?: true;
}

interface Sent {
  readonly body: string;
}

interface ReadFile<Request extends Sent> {
  readonly request: Request;
  readonly key: string;
  readonly notes: readonly string[];
}

/** How to read and send the files of one kind of content. */
interface ImportKind<Request extends Sent> {
  /** Reads a file, whose path counts where its fields say nothing. Notes are for its author. */
  read(document: MarkdownDocument, path: string): ReadFile<Request> | Promise<ReadFile<Request>>;
  /** Sends a request. With `validateOnly` the service checks it and writes nothing. */
  put(request: Request, validateOnly: boolean): Promise<PutResult>;
  /** Resolves when the service responds. */
  ready(deadline: Deadline): Promise<void>;
}

/**
 * Imports every Markdown file of a directory; safe to repeat. It writes nothing until the service has accepted all
 * files. Prints the result and returns the exit code.
 */
export async function runImport<Request extends Sent>(
  session: Session,
  directory: string,
  dryRun: boolean,
  kind: ImportKind<Request>,
): Promise<number> {
  const found = findMarkdownFiles(session.host.cwd, directory);
  if (found.length === 0) session.print.note(`There are no Markdown files in ${directory}.`);
  const { faulty, leftOut, noted } = await readAll(session, found, kind);
  const skipped = new Set([...faulty, ...leftOut].map(({ file }) => file));
  const files = found.filter(({ name }) => !skipped.has(name));
  const checked = await checkAll(session, files, kind, faulty);
  const refused = checked.result.failed.length > 0;
  const { result } = refused || dryRun ? checked : await putAll(session, files, kind, false);
  const notes = countNotes([...noted, ...checked.noted]);
  result.failed.sort((a, b) => (a.file < b.file ? -1 : 1));
  const summary: ImportResult = {
    ...result,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
    ...(dryRun && { dry_run: true }),
  };
  session.print.result(summary, (shown) => format(shown, refused));
  return result.failed.length === 0 ? 0 : 1;
}

/** Checks the files that could be read in the service. */
async function checkAll<Request extends Sent>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
  faulty: ImportResult['failed'],
) {
  const nothing = (failed: ImportResult['failed'], noted: Noted = []) => ({ result: emptyResult(failed), noted });
  if (files.length === 0) return nothing(faulty);
  try {
    await kind.ready(deadlineIn(connectTimeoutMs));
  } catch (error) {
    if (faulty.length === 0) throw error;
    session.print.note(`The other files were not checked: ${problemOf(error, session).problem}`);
    return nothing(faulty);
  }
  const checked = await putAll(session, files, kind, true);
  const failed = [...faulty, ...checked.result.failed];
  return failed.length > 0 ? nothing(failed, checked.noted) : checked;
}

/** The notes of each file. */
type Noted = readonly (readonly string[])[];

function emptyResult(failed: ImportResult['failed']): ImportResult {
  return { imported: 0, created: 0, unchanged: 0, failed };
}

/** Reads every file. Collects the faults and notes of all files. */
async function readAll<Request extends Sent>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
) {
  const owners = new Map<string, string>();
  const faulty: ImportResult['failed'] = [];
  const leftOut: ImportResult['failed'] = [];
  const noted: (readonly string[])[] = [];
  for (const file of files) {
    try {
      const { key, notes } = await kind.read(documentOf(file), file.name);
      const owner = owners.get(key);
      if (owner !== undefined) throw new FileProblem(`is a duplicate of ${owner}: ${key}`);
      owners.set(key, file.name);
      noted.push(notes);
      printNotes(session, file, notes);
    } catch (error) {
      const into = error instanceof LeftOut ? leftOut : faulty;
      into.push({ file: file.name, problem: problemOf(error, session).problem });
    }
  }
  return { faulty, leftOut, noted };
}

function printNotes(session: Session, { name }: MarkdownFile, notes: readonly string[]) {
  if (notes.length > 0) session.print.note(terminalSafeLine(`${name}: ${notes.join('; ')}`));
}

async function putAll<Request extends Sent>(
  session: Session,
  files: readonly MarkdownFile[],
  kind: ImportKind<Request>,
  validateOnly: boolean,
) {
  const result = emptyResult([]);
  const noted: (readonly string[])[] = [];
  const put = async (file: MarkdownFile) => {
    const document = documentOf(file);
    const { request } = await kind.read(document, file.name);
    const { outcome, notes = [] } = await kind.put(request, validateOnly).catch(inLinesOf(document, request));
    noted.push(notes);
    if (validateOnly) printNotes(session, file, notes);
    if (outcome === PutOutcome.CREATED) result.created++;
    if (outcome === PutOutcome.UNCHANGED) result.unchanged++;
    else result.imported++;
  };
  await putEach(session, files, validateOnly ? 'files checked' : 'files', {
    put,
    fail: ({ name }, problem) => result.failed.push({ file: name, problem }),
  });
  return { result, noted };
}

interface Putting<Item> {
  put(item: Item): Promise<void>;
  fail(item: Item, problem: string): void;
  /** How much of the whole an item is; 1 by default. */
  size?(item: Item): number;
}

/** Puts each item and shows the progress, until Ctrl-C or an error after which the others would fail too. */
export async function putEach<Item>(
  session: Session,
  items: readonly Item[],
  what: string,
  { put, fail, size = () => 1 }: Putting<Item>,
): Promise<void> {
  const total = items.reduce((sum, item) => sum + size(item), 0);
  const progress = createProgress(session.host.stderr, what, total);
  let outage: string | undefined;
  await inParallel(items, 8, async (item) => {
    try {
      if (session.host.interrupted.aborted) throw new FileProblem('not tried: the import was interrupted');
      if (outage !== undefined) throw new FileProblem(`not tried: ${outage}`);
      await put(item);
    } catch (error) {
      const { code, problem } = problemOf(error, session);
      if (code !== undefined && !concernsOneThing(code)) outage ??= problem;
      fail(item, problem);
    }
    progress.step(size(item));
  });
  progress.end();
}

function documentOf(file: MarkdownFile) {
  return readFrontMatter(readFileSync(file.path));
}

/** The code is that of a service or an outage; a fault in the file itself has none. */
export function problemOf(error: unknown, session: Session): { code?: string; problem: string } {
  if (error instanceof FileProblem) return { problem: terminalSafeLine(error.message) };
  const { code, message } = describeFailure(error, session.calledAddresses);
  return { code, problem: `${code}: ${message}` };
}

function format(result: ImportResult, refused: boolean) {
  const { imported, created, unchanged, failed, left_out = [], notes = {}, dry_run } = result;
  const kinds = imported > 0 ? ` (${created} new, ${imported - created} changed)` : '';
  const counts = [`${imported} ${dry_run ? 'would be imported' : 'imported'}${kinds}`, `${unchanged} unchanged`];
  if (left_out.length > 0) counts.push(`${left_out.length} left out`);
  if (failed.length > 0) counts.push(`${failed.length} failed`);
  const lines = [...left_out, ...failed].map(({ file, problem }) => `\n  ${terminalSafeLine(file)}: ${problem}`);
  const why = refused
    ? `\n${dry_run ? 'Nothing would be imported' : 'Nothing was imported'} because of these faults.`
    : '';
  const noted = Object.entries(notes).map(([note, files]) => `\n  ${count(files, 'file')}: ${terminalSafeLine(note)}`);
  return `${counts.join(', ')}${lines.length > 0 ? ':' : ''}${lines.join('')}${why}${noted.length > 0 ? '\nNotes:' : ''}${noted.join('')}`;
}

interface MarkdownFile {
  readonly path: string;
  /** The path relative to the given directory, for messages. */
  readonly name: string;
}

/**
 * Lists every Markdown file (`.md`, `.markdown`, `.mdx`) below a directory, sorted by name. Skips hidden files, hidden directories and `node_modules`,
 * and does not follow links to directories.
 *
 * @throws UsageError if the directory cannot be read.
 */
function findMarkdownFiles(cwd: string, directory: string): MarkdownFile[] {
  const root = resolve(cwd, directory);
  try {
    if (!statSync(root).isDirectory()) throw new UsageError(`${directory} is not a directory.`);
    return [...walk(root)].sort().map((path) => ({ path, name: relative(root, path) }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError || code === undefined) throw error;
    throw new UsageError(`${directory} cannot be read (${code}).`);
  }
}

function* walk(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.(?:md|mdx|markdown)$/i.test(entry.name) && (entry.isFile() || isFile(path))) yield path;
  }
}

function isFile(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
