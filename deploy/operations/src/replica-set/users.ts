import { readFileSync } from 'node:fs';

/** A user of the database `admin`. */
export interface MongodbUser {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly { role: string; db: string }[];
}

/**
 * Reads the user of a service from the URI with which the service connects. The user may access only its own database.
 * `owner` has the form `knowledge_content=/path/of/its/uri`.
 *
 * @throws Error if the URI has no name or password.
 */
export function ownerUser(owner: string): MongodbUser {
  const [database, file] = split(owner);
  return {
    ...readCredentials(file),
    roles: [
      { role: 'readWrite', db: database },
      { role: 'dbAdmin', db: database },
    ],
  };
}

/** Reads the user for backup and restore from a file that contains its URI. */
export function operatorUser(file: string): MongodbUser {
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor', 'backup', 'restore'];
  return { ...readCredentials(file), roles: roles.map((role) => ({ role, db: 'admin' })) };
}

function split(owner: string): [database: string, file: string] {
  const at = owner.indexOf('=');
  if (at < 1) throw new Error(`--owner ${owner}: expected DATABASE=FILE`);
  return [owner.slice(0, at), owner.slice(at + 1)];
}

// The class `URL` cannot parse a URI with several hosts, so this uses a pattern.
function readCredentials(file: string): { name: string; password: string } {
  const match = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^:@/]+)@/.exec(readFileSync(file, 'utf8').trim());
  if (match?.[1] === undefined || match[2] === undefined) throw new Error(`${file}: the URI has no user and password`);
  return { name: decodeURIComponent(match[1]), password: decodeURIComponent(match[2]) };
}
