import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { backUp } from './backup/backup.js';
import type { Manifest } from './backup/manifest.js';
import { restore } from './backup/restore.js';
import { readOperationsConfig } from './config.js';
import { initiateUsage, runInitiate } from './replica-set/command.js';

const usage = `Commands for operators. MONGODB_URI, or MONGODB_URI_FILE, says where the database is.

  backup DIR             writes the databases as of one point in time, while the system runs
  restore [--drop] DIR   brings them back, while the services are stopped; --drop deletes what is there first

${initiateUsage}`;

async function main(): Promise<number> {
  if (process.argv[2] === 'initiate-replica-set')
    return runInitiate(process.argv.slice(3), process.stdout, process.stderr);
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { drop: { type: 'boolean' } } });
  const [command, folder, ...rest] = positionals;
  if ((command !== 'backup' && command !== 'restore') || folder === undefined || rest.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const config = readOperationsConfig(process.env);
  const client = new MongoClient(config.MONGODB_URI, {
    appName: `operations-${command}`,
    retryReads: true,
    retryWrites: true,
    writeConcern: { w: 'majority', journal: true },
  });
  try {
    if (command === 'backup') report('backed up', await backUp(client, config.BACKUP_DATABASES, folder));
    else report('restored', await restore(client, folder, { drop: values.drop === true }));
    return 0;
  } catch (error) {
    process.stderr.write(`${command}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await client.close();
  }
}

function report(done: string, { clusterTime, databases }: Manifest): void {
  for (const [database, collections] of Object.entries(databases)) {
    for (const [name, { documents, bytes }] of Object.entries(collections)) {
      process.stdout.write(`${done} ${database}.${name}: ${documents} documents, ${bytes} bytes\n`);
    }
  }
  process.stdout.write(`as of ${new Date(clusterTime.t * 1_000).toISOString()}\n`);
}

process.exitCode = await main();
