import type { DataMigration } from '@knowledge/runtime/mongodb';
import { idempotencySlots } from './0001-idempotency-slots.js';

/** The data migrations of this database, in their order. */
export const migrations: readonly DataMigration[] = [idempotencySlots];
