import type { DataMigration } from '@knowledge/runtime/mongodb';
import { rootAuthorizations } from './0001-root-authorizations.js';

/** The data migrations of this database, in their order. */
export const migrations: readonly DataMigration[] = [rootAuthorizations];
