import { MongoClient, type MongoClientOptions, type ServerHeartbeatSucceededEvent } from 'mongodb';
import { ConfigError } from '../config/read-config.js';
import type { Logger } from '../log/logger.js';

/** @throws ConfigError that names `MONGODB_URI`, its fault and the remedy, without any part of its password. */
export function openMongoClient(uri: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(uri, options);
  } catch (error) {
    throw new ConfigError([`MONGODB_URI cannot be used: ${faultIn(uri, (error as Error).message)}`]);
  }
}

function faultIn(uri: string, said: string): string {
  // Some messages of the driver quote what stands before a misplaced "@" or ":", which can be the password.
  const [, login = ''] = /:\/\/(.*)@/s.exec(uri) ?? [];
  const quotes = login.split(/[:/?#@]/).some((part) => part !== '' && said.includes(part));
  if (/malformed|unescaped|Invalid connection string/.test(said) || quotes)
    return 'it is no valid connection string. In user and password write % as %25, / as %2F, ? as %3F, # as %23, @ as %40, : as %3A.';
  if (/not supported$/.test(said)) return `${said}. Correct its name, or leave it out.`;
  return `${said}. Expected mongodb://user:password@host:27017/?replicaSet=name.`;
}

/**
 * Rejects with a ConfigError if no server of the connection string can ever serve us. They are in no replica set, or in
 * another one. After one good answer nothing is judged again, and a set that is not initiated yet may become one.
 */
export function watchDeployment(client: MongoClient, log: Logger): Promise<never> {
  const { hosts, replicaSet } = client.options;
  const faults = new Map<string, string>();
  let told = false;
  const judged = new Promise<never>((_, reject) => {
    client.on(
      'serverHeartbeatSucceeded',
      function judge({ connectionId: server, reply }: ServerHeartbeatSucceededEvent) {
        const fault = faultOf(server, reply, replicaSet);
        if (fault === undefined) client.off('serverHeartbeatSucceeded', judge);
        else if (fault !== '') {
          if (faults.set(server, fault).size >= hosts.length) reject(new ConfigError([fault]));
        } else if (!told) {
          told = true;
          log.warn(
            { server },
            'the replica set of MONGODB_URI is not initiated yet; if it stays so, call rs.initiate() there once',
          );
        }
      },
    );
  });
  judged.catch(() => undefined);
  return judged;
}

/** The fault of a server by its `hello`; undefined for none. It is empty if it can still end by itself. */
function faultOf(
  server: string,
  { setName, msg, isreplicaset }: { setName?: string; msg?: string; isreplicaset?: boolean },
  wanted: string | undefined,
): string | undefined {
  if (msg === 'isdbgrid' || (setName !== undefined && (setName === wanted || !wanted))) return undefined;
  if (isreplicaset) return '';
  return setName === undefined
    ? `MONGODB_URI leads to ${server}, a mongod that is in no replica set. Start it with --replSet rs0 and call rs.initiate() once.`
    : `MONGODB_URI has replicaSet=${wanted}, but ${server} is in the replica set ${setName}. Write replicaSet=${setName}.`;
}
