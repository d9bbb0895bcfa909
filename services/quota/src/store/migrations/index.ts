import type { DataMigration } from '@knowledge/runtime/mongodb';
import { camelCaseFields } from './0001-camel-case-fields.js';
import { counters } from './0002-counters.js';

/** The data migrations of this database, in their order. */
export const migrations: readonly DataMigration[] = [camelCaseFields, counters];
