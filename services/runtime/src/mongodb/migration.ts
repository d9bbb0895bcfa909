import type { Db } from 'mongodb';
import { ConfigError } from '../config/read-config.js';
import type { HealthCheck } from '../grpc/health.js';
import type { Logger } from '../log/logger.js';
import type { DataMigration } from './data-migrations.js';
import { pause } from './operation.js';
import { applySchema, type CollectionDeclaration } from './schema.js';

/** Applies a schema in the background while the service already listens. */
export interface Migration {
  /**
   * Fails until the schema is applied, so that the service is not ready before. `serveGrpc` uses it as
   * a health check.
   */
  readonly check: HealthCheck;
  /** Resolves when the schema is applied. Never settles if `close` is called before. */
  readonly done: Promise<void>;
  /** Rejects if the database is that of another service. Else it never settles. */
  readonly refused: Promise<never>;
  close(): Promise<void>;
}

const pauseMs = 10_000;

/**
 * Runs data migrations and applies a schema in the background, so that a service may start before its database. During
 * an outage it waits. It logs other failures, such as duplicates under a unique index, and tries again every 10 s.
 */
export function startMigration(
  db: Db,
  collections: readonly CollectionDeclaration[],
  log: Logger,
  migrations: readonly DataMigration[] = [],
  owner?: string,
): Migration {
  const controller = new AbortController();
  const { signal } = controller;
  let failure: unknown = new Error('The schema is not applied yet.');
  let applied = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    applied = resolve;
  });
  let refuse = (_fault: ConfigError): void => undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  refused.catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await applySchema(db, collections, { signal, log, owner, migrations });
        failure = undefined;
        applied();
        return;
      } catch (error) {
        if (signal.aborted) return;
        failure = error;
        if (error instanceof ConfigError) return refuse(error);
        log.error({ err: error }, 'the schema cannot be applied; trying again');
        await pause(pauseMs, signal);
      }
    }
  };
  const running = run();
  return {
    check: { name: 'schema', check: () => (failure === undefined ? Promise.resolve() : Promise.reject(failure)) },
    done,
    refused,
    close: () => {
      controller.abort();
      return running;
    },
  };
}
