import { type DataMigration, renameCollection, renameField } from '@knowledge/runtime/mongodb';

/** Renames `lineId` to `rootAuthorizationId` and the collection `askers` to `requesters`. */
export const rootAuthorizations: DataMigration = {
  name: '0001-root-authorizations',
  async run(db, signal) {
    for (const collection of ['authorizations', 'tokens', 'transitions']) {
      signal.throwIfAborted();
      await renameField(db, collection, 'lineId', 'rootAuthorizationId');
    }
    await renameCollection(db, 'askers', 'requesters');
  },
};
