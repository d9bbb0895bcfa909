import { parseArgs } from 'node:util';
import { list, readConfig, url } from '@knowledge/runtime';
import { openMongoClient } from '@knowledge/runtime/mongodb';
import { backUp, type Manifest, restore, timeOf } from './backup.js';
import { initiateReplicaSetUsage, runInitiateReplicaSet } from './replica-set.js';
import { shardCollections, shardingCommands } from './sharding.js';

const usage = `Commands for operators. MONGODB_URI or MONGODB_URI_FILE gives the database.

  backup DIR                    writes the databases as of one point in time, while the system runs
  restore [--drop] DIR          restores them while the services are stopped; --drop first deletes existing databases,
                                but none that a service uses (--while-running: these too). A DIR of backups: names them
  shard-collections [--print]   distributes the collections over the shards; --print only shows the commands

${initiateReplicaSetUsage}`;

const variables = {
  MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true }),
  BACKUP_DATABASES: list({
    default: ['knowledge_content', 'knowledge_quota', 'knowledge_identity', 'knowledge_contributions'],
    of: 'names of databases',
    description: 'the databases that a backup contains',
  }),
};

async function main() {
  const [first, ...others] = process.argv.slice(2);
  if (first === 'initiate-replica-set') return runInitiateReplicaSet(others);
  const flag = { type: 'boolean', default: false } as const;
  const options = { drop: flag, 'while-running': flag, print: flag, help: { ...flag, short: 'h' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [command = '', folder = ''] = positionals;
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const expected = ({ backup: 2, restore: 2, 'shard-collections': 1 } as Record<string, number>)[command];
  if (positionals.length !== expected) {
    const folders = expected === 2 ? 'one folder' : 'no folder';
    const fault = expected === undefined ? `There is no command ${command}.` : `${command} takes ${folders}.`;
    process.stderr.write(`${command === '' ? '' : `${fault}\n\n`}${usage}`);
    return 2;
  }
  if (values.print) {
    for (const each of shardingCommands()) say(JSON.stringify(each));
    return 0;
  }
  const config = readConfig(process.env, variables);
  const client = openMongoClient(config.MONGODB_URI, {
    appName: `operations-${command}`,
    retryReads: true,
    retryWrites: true,
    writeConcern: { w: 'majority', journal: true },
  });
  try {
    if (command === 'backup') report('backed up', await backUp(client, config.BACKUP_DATABASES, folder));
    else if (command === 'restore') report('restored', await restore(client, folder, values));
    else await shardCollections(client, say);
    return 0;
  } finally {
    await client.close();
  }
}

function report(done: string, manifest: Manifest) {
  const { databases, leftOut = [] } = manifest;
  for (const [database, collections] of Object.entries(databases)) {
    for (const [name, { documents, bytes }] of Object.entries(collections)) {
      say(`${done} ${database}.${name}: ${documents} documents, ${bytes} bytes`);
    }
  }
  for (const name of leftOut) say(`not in the backup: ${name}, a capped collection or one of MongoDB itself`);
  say(`as of ${timeOf(manifest)}`);
}

function say(line: string) {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${process.argv[2]}: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
