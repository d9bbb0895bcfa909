import { setImmediate } from 'node:timers/promises';
import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import { type ArticleImport, readArticle } from '../../article/article-file.js';
import { FileProblem, LeftOut } from '../../import/fields.js';
import { readFrontMatter } from '../../import/front-matter.js';
import { type ImportedArticle, inParallel, type PutResult } from '../../import/put-result.js';
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
  /** `created`, `updated`, `unchanged`, `left out`, `refused`, or `unfinished` if the service failed. */
  readonly outcome: string;
  /** Why the file was refused, or what its author should know. */
  readonly notes: readonly string[];
  /** The article of the file, if its name could be read. */
  readonly article?: Pick<PutArticleRequest, 'site' | 'slug'>;
}

const outcomes = enumWords(PutOutcome);
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
  let failure: Error | undefined;
  await inParallel(named(files), concurrency, async ([file, { name, bytes, problem }]) => {
    // Other requests get their turn between two files.
    await setImmediate();
    if (failure !== undefined) return;
    let article: PutArticleRequest | undefined;
    try {
      if (problem !== undefined) throw new FileProblem(problem);
      const { request, key, notes } = await readArticle(readFrontMatter(bytes), name, options);
      const owner = owners.get(key);
      if (owner !== undefined) throw new FileProblem(`is a duplicate of ${owner}: ${key}`);
      owners.set(key, file);
      article = request;
      const { outcome, note } = await put(request);
      if (note !== undefined) notes.push(note);
      results.set(file, { file, article, outcome: outcomes.fromWire(outcome), notes });
    } catch (error) {
      const outcome = error instanceof LeftOut ? 'left out' : 'refused';
      if (isOfFile(error)) results.set(file, { file, outcome, notes: [error.message], ...(article && { article }) });
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
