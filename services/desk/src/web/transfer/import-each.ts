import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import { type ArticleImport, readArticle } from '../../article/article-file.js';
import { FileProblem } from '../../import/file-problem.js';
import { readFrontMatter } from '../../import/front-matter.js';
import { inParallel } from '../../import/parallel.js';
import type { PutResult } from '../../import/put-result.js';
import { enumWords } from '../../words.js';

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
  /** `created`, `updated`, `unchanged`, `refused`, or `unfinished` if the service failed. */
  readonly outcome: string;
  /** Why the file was refused, or what its author should know. */
  readonly note?: string | undefined;
  /** The article of the file, if its name could be read. */
  readonly article?: Pick<PutArticleRequest, 'site' | 'slug'>;
}

const outcomes = enumWords(PutOutcome, 'PUT_OUTCOME_');
const concurrency = 8;

/**
 * Imports each file by itself, so a faulty one stops no other; safe to repeat.
 *
 * @throws the failure of the service, if it came before anything was stored.
 */
export async function importEach(
  files: readonly ArticleSource[],
  options: ArticleImport,
  put: (request: PutArticleRequest) => Promise<PutResult>,
): Promise<FileResult[]> {
  const read = readAll(files, options);
  const results = new Map<string, FileResult>();
  let failure: Error | undefined;
  await inParallel([...read], concurrency, async ([file, request]) => {
    if (failure !== undefined) return;
    try {
      if (request instanceof FileProblem) throw request;
      const { outcome, note } = await put(request);
      results.set(file, { file, article: request, outcome: outcomes.fromWire(outcome), note });
    } catch (error) {
      if (isOfFile(error)) results.set(file, { file, outcome: 'refused', note: error.message, ...articleOf(request) });
      else failure ??= error as Error;
    }
  });
  const isStored = [...results.values()].some(({ outcome }) => outcome === 'created' || outcome === 'updated');
  if (failure !== undefined && !isStored) throw failure;
  return [...read.keys()].map((file) => results.get(file) ?? { file, outcome: 'unfinished' });
}

/** Reads every file. Of two files for one article only the first counts. */
function readAll(
  files: readonly ArticleSource[],
  options: ArticleImport,
): Map<string, PutArticleRequest | FileProblem> {
  const owners = new Map<string, string>();
  const read = new Map<string, PutArticleRequest | FileProblem>();
  for (const { name, bytes, problem } of files) {
    // Files of different folders may have the same name.
    const file = read.has(name) ? `${name} (${read.size + 1})` : name;
    try {
      if (problem !== undefined) throw new FileProblem(problem);
      const { request, key } = readArticle(readFrontMatter(bytes), options);
      const owner = owners.get(key);
      if (owner !== undefined) throw new FileProblem(`is a duplicate of ${owner}: ${key}`);
      owners.set(key, file);
      read.set(file, request);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      read.set(file, error);
    }
  }
  return read;
}

function articleOf(request: PutArticleRequest | FileProblem): Pick<FileResult, 'article'> {
  return request instanceof FileProblem ? {} : { article: request };
}

function isOfFile(error: unknown): error is Error {
  return error instanceof FileProblem || hasCode(error, 'validation_error') || hasCode(error, 'invalid_state');
}
