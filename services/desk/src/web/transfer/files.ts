import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import type { FastifyRequest } from 'fastify';
import { zipProblem } from '../../import/front-matter.js';
import { RefusedRequest } from '../page-parts.js';
import type { ArticleSource } from './import-each.js';

/** The bounds of one import. A file has room for the longest article and its fields. */
export const uploadLimits = { files: 200, fileBytes: 300_000, totalBytes: 8 * 1024 * 1024 };

/**
 * Reads a form with files into memory. The result has a value for each field, and the chosen files.
 *
 * @throws RefusedRequest if all of it, or the number of files, is beyond the bounds.
 */
export async function readUpload(request: FastifyRequest): Promise<Record<string, string | ArticleSource[]>> {
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
