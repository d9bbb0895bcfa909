import { readFileSync } from 'node:fs';

/** A user of the database `admin`. */
export interface MongodbUser {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly { role: string; db: string }[];
}

/**
 * The user of a service, with the name and password of the URI with which it connects. It owns its database and sees no
 * other one. `owner` is `knowledge_content=/path/of/its/uri`.
 *
 * @throws Error if the URI holds no name and password.
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

/** The user with whom operators back up and restore, from the file of its URI. */
export function operatorUser(file: string): MongodbUser {
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor', 'backup', 'restore'];
  return { ...readCredentials(file), roles: roles.map((role) => ({ role, db: 'admin' })) };
}

function split(owner: string): [database: string, file: string] {
  const at = owner.indexOf('=');
  if (at < 1) throw new Error(`--owner ${owner}: expected DATABASE=FILE`);
  return [owner.slice(0, at), owner.slice(at + 1)];
}

// A URI with several hosts is no WHATWG URL, so its user is read by hand.
function readCredentials(file: string): { name: string; password: string } {
  const match = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^:@/]+)@/.exec(readFileSync(file, 'utf8').trim());
  if (match?.[1] === undefined || match[2] === undefined)
    throw new Error(`${file}: the URI names no user and password`);
  return { name: decodeURIComponent(match[1]), password: decodeURIComponent(match[2]) };
}
