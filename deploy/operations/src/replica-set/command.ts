import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { initiateReplicaSet } from './initiate.js';
import { operatorUser, ownerUser } from './users.js';

export const initiateReplicaSetUsage = `initiate-replica-set --hosts HOST:PORT,… [--replica-set NAME] [--key-file FILE]
                       [--owner DATABASE=FILE]… [--operator FILE] [--timeout SECONDS]

Makes one replica set of new members, waits for its primary and creates its users. Safe to repeat.

  --hosts        every member, under the address that clients use
  --replica-set  its name (default knowledge)
  --key-file     the key file of the members; without it they run without authentication
  --owner        a database and the file with the URI of its only user, who is created or updated
  --operator     the file with the URI of the user who may back up and restore every database
  --timeout      give up after this many seconds (default 600)
`;

/** Runs the command and returns its exit code. */
export async function runInitiateReplicaSet(args: readonly string[], out: Output, errors: Output): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      out.write(initiateReplicaSetUsage);
      return 0;
    }
    await initiateReplicaSet({
      hosts: listOf(values.hosts),
      replicaSet: values['replica-set'],
      key: values['key-file'] === undefined ? undefined : readFileSync(values['key-file'], 'utf8'),
      users: [
        ...values.owner.map(ownerUser),
        ...(values.operator === undefined ? [] : [operatorUser(values.operator)]),
      ],
      signal: AbortSignal.timeout(Number(values.timeout) * 1_000),
      say: (line) => out.write(`${line}\n`),
    });
    return 0;
  } catch (error) {
    errors.write(`initiate-replica-set: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

const options = {
  hosts: { type: 'string' },
  'replica-set': { type: 'string', default: 'knowledge' },
  'key-file': { type: 'string' },
  owner: { type: 'string', multiple: true, default: [] as string[] },
  operator: { type: 'string' },
  timeout: { type: 'string', default: '600' },
  help: { type: 'boolean', default: false },
} as const;

interface Output {
  write(text: string): unknown;
}

function listOf(hosts: string | undefined): string[] {
  const list = (hosts ?? '').split(',').filter((host) => host !== '');
  if (list.length === 0) throw new Error('--hosts is missing; see --help');
  return list;
}
