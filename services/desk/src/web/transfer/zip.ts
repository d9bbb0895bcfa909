import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';

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
