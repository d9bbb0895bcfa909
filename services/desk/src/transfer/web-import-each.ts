import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import { makeZip } from 'client-zip';
import type { FastifyRequest } from 'fastify';
import { type ArticleImport, readArticle } from '../articles/article-file.js';
import { FileProblem, LeftOut } from '../files/fields.js';
import { inLinesOf, type MarkdownDocument, readFrontMatter, zipProblem } from '../files/front-matter.js';
import { type ImportedArticle, inParallel, type PutResult, putOutcomes } from '../files/put-result.js';
import { RefusedRequest } from '../pages/index.js';

/** A file with the text of an article. */
export interface ArticleSource {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why the file cannot be read; such as that it is too large. */
  readonly problem?: string | undefined;
}

/** What became of one file. */
export interface FileResult {
  readonly file: string;
  /** `created`, `updated`, `unchanged`, `left out`, `refused`, or `unfinished` if the service failed. */
  readonly outcome: string;
  /** Why the file was refused, or what its author should know. */
  readonly notes: readonly string[];
  /** The article of the file, if its name could be read. */
  readonly article?: Pick<PutArticleRequest, 'site' | 'slug'>;
}

const concurrency = 8;

/**
 * Imports each file by itself, so a faulty one stops no other; safe to repeat. Of two files for one article only the
 * first counts.
 *
 * @throws the failure of the service, if it came before anything was stored.
 */
export async function importEach(
  files: readonly ArticleSource[],
  options: ArticleImport,
  put: (request: ImportedArticle) => Promise<PutResult>,
): Promise<FileResult[]> {
  const results = new Map<string, FileResult>();
  const owners = new Map<string, string>();
  const ready: { file: string; document: MarkdownDocument; article: ImportedArticle; notes: string[] }[] = [];
  // One after the other, since some take longer to read, and the first of two for one article counts.
  for (const [file, { name, bytes, problem }] of named(files)) {
    // Other requests get their turn between two files.
    await setImmediate();
    try {
      if (problem !== undefined) throw new FileProblem(problem);
      const document = readFrontMatter(bytes);
      const { request, key, notes } = await readArticle(document, name, options);
      const owner = owners.get(key);
      if (owner !== undefined) throw new FileProblem(`is a duplicate of ${owner}: ${key}`);
      owners.set(key, file);
      ready.push({ file, document, article: request, notes });
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const outcome = error instanceof LeftOut ? 'left out' : 'refused';
      results.set(file, { file, outcome, notes: [error.message] });
    }
  }
  let failure: Error | undefined;
  await inParallel(ready, concurrency, async ({ file, document, article, notes }) => {
    if (failure !== undefined) return;
    try {
      const { outcome, notes: ofPut = [] } = await put(article).catch(inLinesOf(document, article));
      results.set(file, { file, article, outcome: putOutcomes.fromWire(outcome), notes: [...notes, ...ofPut] });
    } catch (error) {
      if (isOfFile(error)) results.set(file, { file, article, outcome: 'refused', notes: [error.message] });
      else failure ??= error as Error;
    }
  });
  const isStored = [...results.values()].some(({ outcome }) => outcome === 'created' || outcome === 'updated');
  if (failure !== undefined && !isStored) throw failure;
  return named(files).map(([file]) => results.get(file) ?? { file, outcome: 'unfinished', notes: [] });
}

/** The files with their names. Files of different folders may have the same name. */
function named(files: readonly ArticleSource[]): [string, ArticleSource][] {
  const names = new Set<string>();
  return files.map((source, at) => {
    const name = names.has(source.name) ? `${source.name} (${at + 1})` : source.name;
    names.add(name);
    return [name, source];
  });
}

function isOfFile(error: unknown): error is Error {
  return error instanceof FileProblem || hasCode(error, 'validation_error') || hasCode(error, 'invalid_state');
}

/** The bounds of one import. A file has room for the longest article and its fields. */
export const uploadLimits = { files: 200, fileBytes: 300_000, totalBytes: 8 * 1024 * 1024 };

/**
 * Reads a form with files into memory. The result has a value for each field, and the chosen files.
 *
 * @throws RefusedRequest if all of it, or the number of files, is beyond the bounds, or if it is no such form.
 */
export async function readUpload(request: FastifyRequest): Promise<Record<string, string | ArticleSource[]>> {
  return readParts(request).catch((error: { statusCode?: number }) => {
    if (error instanceof RefusedRequest) throw error;
    if (error.statusCode === 413)
      throw new RefusedRequest(413, 'The form has too many fields, or one that is too long.');
    throw new RefusedRequest(400, 'The form cannot be read: it is cut off, or no form with files.');
  });
}

async function readParts(request: FastifyRequest) {
  const { files: most, fileBytes, totalBytes } = uploadLimits;
  // Browsers always say how long a form is, and the server reads no more than that.
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (!(length <= totalBytes)) throw new RefusedRequest(413, `All files together must have at most ${megabytes} MB.`);
  const files: ArticleSource[] = [];
  const fields: Record<string, string> = {};
  const limits = { files: most + 1, fileSize: fileBytes, fields: 20, fieldSize: 20_000 };
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value;
      continue;
    }
    const bytes = await part.toBuffer();
    // A form in which nobody chose a file has one without a name.
    if (part.filename === '' || part.filename === undefined) continue;
    if (files.length === most) throw new RefusedRequest(413, `At most ${most} files can be imported at a time.`);
    const tooLarge = part.file.truncated ? `is larger than ${fileBytes / 1000} kB` : undefined;
    files.push({ name: part.filename, bytes, problem: zipProblem(bytes) ?? tooLarge });
  }
  return { ...fields, files };
}

const megabytes = uploadLimits.totalBytes / 1024 / 1024;

/** A file of an archive. */
export interface ZippedFile {
  readonly path: string;
  readonly text: string;
}

/** Makes a ZIP archive while it is sent. It asks for the next file when the reader has taken the ones before. */
export function zipOf(files: AsyncIterable<ZippedFile>): Readable {
  return Readable.fromWeb(makeZip(inputs(files)) as Parameters<typeof Readable.fromWeb>[0]);
}

async function* inputs(files: AsyncIterable<ZippedFile>): AsyncGenerator<{ name: string; input: string }> {
  for await (const { path, text } of files) yield { name: path, input: text };
}
