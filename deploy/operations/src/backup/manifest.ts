import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a backup says of itself in `backup.json`, written last: a folder without it is no whole backup. */
export interface Manifest {
  /** The one point in time that every collection shows, as seconds and counter of MongoDB's cluster time. */
  readonly clusterTime: { readonly t: number; readonly i: number };
  readonly databases: Readonly<Record<string, Readonly<Record<string, CollectionSummary>>>>;
}

/** What was written of a collection. */
export interface CollectionSummary {
  readonly documents: number;
  readonly bytes: number;
  /** Of the `.bson` file, hexadecimal. */
  readonly sha256: string;
}

/** Where a collection's documents are, as mongodump names the file. */
export function documentsFile(folder: string, database: string, collection: string): string {
  return join(folder, database, `${collection}.bson`);
}

/** Where its options and indexes are, as mongodump names the file. */
export function metadataFile(folder: string, database: string, collection: string): string {
  return join(folder, database, `${collection}.metadata.json`);
}

/** Marks a backup as whole. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

/** @throws if the folder holds no whole backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch((cause: unknown) => {
    throw new Error(`${folder} holds no whole backup: it has no backup.json`, { cause });
  });
  return JSON.parse(text) as Manifest;
}
