import type { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { chunksOf, type Deadline, deadlineIn, KnowledgeError } from '@knowledge/runtime/client';
import { UsageError } from '../base/desk-error.js';
import { readNamedFile, readUtf8 } from '../base/host.js';
import { connectTimeoutMs, type Session } from '../base/session.js';
import { terminalSafeLine } from '../base/text.js';
import { FileProblem } from './fields.js';
import { parseYaml } from './front-matter.js';
import { putOutcomes } from './put-result.js';
import { problemOf, putEach } from './run-import.js';

/** What became of one entry of the file. */
interface EntryResult {
  readonly name: string;
  /** `created`, `updated`, `unchanged` or `failed`. */
  readonly outcome: string;
  readonly problem?: string;
}

/** How to read and send the entries of one kind. */
interface ListImportKind<Request> {
  readonly many: string;
  /** Reads an entry. Throws FileProblem with all faults. */
  read(fields: Readonly<Record<string, unknown>>): { name: string; request: Request; unknown: readonly string[] };
  /** How many requests `put` sends at once. */
  readonly atOnce: number;
  /**
   * Sends requests. With `validateOnly` the service checks them and writes nothing. Returns the outcome of each, or why it is
   * refused.
   */
  put(requests: readonly Request[], validateOnly: boolean): Promise<readonly (PutOutcome | KnowledgeError)[]>;
  /** Resolves when the service responds. */
  ready(deadline: Deadline): Promise<void>;
}

/**
 * Imports the entries of a YAML list; safe to repeat. It writes nothing until the service has accepted all entries.
 * Prints a result for each entry and returns the exit code.
 */
export async function runListImport<Request>(
  session: Session,
  file: string,
  dryRun: boolean,
  kind: ListImportKind<Request>,
): Promise<number> {
  const read = readAll(session, readYamlList(session.host.cwd, file), kind);
  let results = read.faults;
  if (read.faults.length === 0) {
    await kind.ready(deadlineIn(connectTimeoutMs));
    const checked = await putAll(session, read.requests, kind, true);
    results = checked.filter(({ outcome }) => outcome === failed);
    if (results.length === 0) results = dryRun ? checked : await putAll(session, read.requests, kind, false);
  }
  const summary = summaryOf(results, dryRun);
  session.print.result(summary, () => format(summary, kind));
  return summary.failed === 0 ? 0 : 1;
}

const failed = 'failed';

function readAll<Request>(
  session: Session,
  entries: readonly Readonly<Record<string, unknown>>[],
  kind: ListImportKind<Request>,
) {
  const requests = new Map<string, { name: string; request: Request }>();
  const faults: EntryResult[] = [];
  for (const [at, fields] of entries.entries()) {
    const place = `entry ${at + 1}`;
    try {
      const { name, request, unknown } = kind.read(fields);
      if (requests.has(name)) throw new FileProblem(`is a duplicate of an entry before: ${name}`);
      requests.set(name, { name, request });
      if (unknown.length > 0) session.print.note(`${place}: ignored ${unknown.join(', ')}`);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      faults.push({ name: place, outcome: failed, problem: terminalSafeLine(error.message) });
    }
  }
  return { requests: [...requests.values()], faults };
}

async function putAll<Request>(
  session: Session,
  requests: readonly { name: string; request: Request }[],
  kind: ListImportKind<Request>,
  validateOnly: boolean,
) {
  const results = new Map<string, EntryResult>();
  const fail = (name: string, problem: string) => results.set(name, { name, outcome: failed, problem });
  await putEach(session, chunksOf(requests, kind.atOnce), validateOnly ? `${kind.many} checked` : kind.many, {
    put: async (batch) => {
      const put = await kind.put(
        batch.map(({ request }) => request),
        validateOnly,
      );
      for (const [at, { name }] of batch.entries()) {
        const result = put[at];
        if (result instanceof KnowledgeError) fail(name, problemOf(result, session).problem);
        else if (result !== undefined) results.set(name, { name, outcome: putOutcomes.fromWire(result) });
      }
    },
    fail: (batch, problem) => {
      for (const { name } of batch) fail(name, problem);
    },
    size: (batch) => batch.length,
  });
  return requests.flatMap(({ name }) => results.get(name) ?? []);
}

function summaryOf(results: readonly EntryResult[], dryRun: boolean) {
  const count = (word: string) => results.filter(({ outcome }) => outcome === word).length;
  return {
    imported: count('created') + count('updated'),
    unchanged: count('unchanged'),
    failed: count(failed),
    entries: results,
    ...(dryRun && { dry_run: true as const }),
  };
}

function format<Request>(summary: ReturnType<typeof summaryOf>, { many }: ListImportKind<Request>) {
  const { imported, unchanged, failed: refused, entries, dry_run } = summary;
  const lines = entries
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ name, outcome, problem }) => `  ${name}: ${problem ?? outcome}`);
  if (refused > 0) {
    const shown = entries.flatMap(({ name, problem }) => (problem === undefined ? [] : [`  ${name}: ${problem}`]));
    const some = dry_run ? 'Nothing would be' : imported + unchanged === 0 ? 'Nothing was' : 'Not everything was';
    return [`${some} imported: ${refused} of the ${many} failed.`, ...shown].join('\n');
  }
  const done = `${imported} ${many} ${dry_run ? 'would be imported' : 'imported'}, ${unchanged} unchanged`;
  return [...lines, done].join('\n');
}

/** The largest file that is read, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Reads a YAML file that is a list of entries with fields. All values are text, or lists and maps of text.
 *
 * @throws UsageError if the file cannot be read, or is no such list.
 */
export function readYamlList(cwd: string, file: string): readonly Readonly<Record<string, unknown>>[] {
  const bytes = readNamedFile({ cwd }, file);
  if (bytes.length > maxBytes) throw new UsageError(`${file} is larger than ${maxBytes / 1024 / 1024} MiB.`);
  const list = parse(readUtf8(bytes, file), file);
  if (!Array.isArray(list) || !list.every(isEntry)) {
    throw new UsageError(`${file} must be a YAML list of entries like "- words: [SSO, single sign-on]".`);
  }
  return list;
}

function parse(source: string, file: string) {
  try {
    return parseYaml(source);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new UsageError(`${file} ${error.message}.`);
  }
}

function isEntry(entry: unknown): entry is Readonly<Record<string, unknown>> {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry);
}
