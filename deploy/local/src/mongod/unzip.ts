import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, open, type ZipFile } from 'yauzl';

export interface UnzipOneOptions {
  readonly archive: string;
  /** How the path of the wanted file inside of the archive ends. */
  readonly member: string;
  readonly to: string;
  readonly mode: number;
}

/** Writes one file out of a zip archive; needs no unzip program. */
export async function unzipOne(options: UnzipOneOptions): Promise<void> {
  const zip = await openZip(options.archive);
  try {
    const entry = await findEntry(zip, options.member);
    await pipeline(await readEntry(zip, entry), createWriteStream(options.to, { mode: options.mode }));
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

async function findEntry(zip: ZipFile, member: string): Promise<Entry> {
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entry.fileName.endsWith(member)) resolve(entry);
      else zip.readEntry();
    });
    zip.once('end', () => reject(new Error(`the archive holds no ${member}`)));
    zip.once('error', reject);
    zip.readEntry();
  });
}

async function readEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
