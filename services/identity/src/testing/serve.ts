import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { deadlineIn, type Environment } from '@knowledge/runtime';
import { connectGrpc, type GrpcClient } from '@knowledge/runtime/grpc';
import { openTestDatabase } from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { start } from '../service.js';

/** A service that runs as in production, on a database of its own, with a clock that tests can move. */
export interface ServedIdentity {
  identity: GrpcClient<typeof IdentityServiceService>;
  admin: GrpcClient<typeof GrantAdminServiceService>;
  db: Db;
  clock: TestClock;
  close(): Promise<void>;
}

/** The real time, moved. */
export class TestClock {
  private ahead = 0;
  readonly now = (): Date => new Date(Date.now() + this.ahead);
  forward(ms: number): void {
    this.ahead += ms;
  }
}

/** Serves identity for one test file. */
export async function serveIdentity(name: string, env: Environment = {}): Promise<ServedIdentity> {
  const mongo = openTestDatabase(name);
  const clock = new TestClock();
  const running = await start(
    {
      LOG_LEVEL: 'silent',
      GRPC_ADDRESS: '127.0.0.1:0',
      MONGODB_URI: process.env.MONGODB_TEST_URI,
      MONGODB_DATABASE: mongo.db.databaseName,
      ...env,
    },
    clock.now,
  );
  const identity = connectGrpc(IdentityServiceService, { address: running.address, deadlineMs: 5000 });
  const admin = connectGrpc(GrantAdminServiceService, { address: running.address, deadlineMs: 5000 });
  await Promise.all([identity.ready(deadlineIn(5000)), migrated(mongo.db)]);
  return {
    identity,
    admin,
    db: mongo.db,
    clock,
    close: async () => {
      identity.close();
      admin.close();
      await running.close();
      await mongo.close();
    },
  };
}

// `tokens` comes last in the schema.
async function migrated(db: Db): Promise<void> {
  for (;;) {
    const indexes = await db
      .collection('tokens')
      .indexes()
      .catch(() => []);
    if (indexes.length > 1) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
