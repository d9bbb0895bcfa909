import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The content of `backup.json`. The file is written last, so a folder without it is an incomplete backup. */
export interface Manifest {
  /** The point in time of the backup, as the seconds and counter of MongoDB's cluster time. */
  readonly clusterTime: { readonly t: number; readonly i: number };
  readonly databases: Readonly<Record<string, Readonly<Record<string, CollectionSummary>>>>;
  /** Capped collections and those of MongoDB itself, as `database.collection`. Older backups do not name them. */
  readonly leftOut?: readonly string[];
}

export interface CollectionSummary {
  readonly documents: number;
  readonly bytes: number;
  /** The hash of the `.bson` file, in hexadecimal. */
  readonly sha256: string;
}

/** The file with the documents of a collection. The name is the same as in mongodump. */
export function documentsFile(folder: string, database: string, collection: string): string {
  return join(folder, database, `${collection}.bson`);
}

/** The file with the options and indexes of a collection. The name is the same as in mongodump. */
export function metadataFile(folder: string, database: string, collection: string): string {
  return join(folder, database, `${collection}.metadata.json`);
}

/** Writes the manifest, which marks a backup as complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** @throws Error if the folder has no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch((cause: unknown) => {
    throw new Error(`${folder} holds no whole backup: it has no backup.json`, { cause });
  });
  return JSON.parse(text) as Manifest;
}
