import { type Db, MongoServerError } from 'mongodb';

/** Renames a collection with its documents and indexes, unless that is done. */
export async function renameCollection(db: Db, from: string, to: string): Promise<void> {
  if (await db.listCollections({ name: from }).hasNext()) await db.renameCollection(from, to);
}

/** Renames a field of every document that still has it. The old validators still apply, so they are bypassed. */
export async function renameField(db: Db, collection: string, from: string, to: string): Promise<void> {
  const options = { bypassDocumentValidation: true };
  await db.collection(collection).updateMany({ [from]: { $exists: true } }, { $rename: { [from]: to } }, options);
}

/** Drops an index that the schema no longer declares, unless that is done. */
export async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof MongoServerError && absent.has(error.code))) throw error;
  }
}

// NamespaceNotFound and IndexNotFound.
const absent: ReadonlySet<unknown> = new Set([26, 27]);
