import { join } from 'node:path';
import { banner } from './banner.js';
import { readLocalConfig } from './config.js';
import { createDesk } from './desk.js';
import { createFleet, type Fleet } from './fleet.js';
import { launchWatchdog } from './launch-watchdog.js';
import { type DataDirLock, lockDataDir } from './lock.js';
import { choosePorts, type Ports } from './ports.js';
import { endOrphans, watchdogName } from './process-records.js';
import { untilGrpcReady, untilHttpOk } from './ready.js';
import { type RunFile, removeRunFile, writeRunFile } from './run-file.js';
import { runMongodb } from './run-mongodb.js';
import { importSample } from './sample.js';
import { describeMailbox, describePrograms, grpcAddress, localUrl, serviceNames } from './services.js';
import { createTerminal } from './terminal.js';

export interface LocalSystemOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The root of the repository. */
  readonly root: string;
  readonly write: (text: string) => void;
}

/** All processes on this machine that `npm start` starts and stops. */
export interface LocalSystem {
  /** Resolves when every process is ready and `run.json` is written. */
  start(): Promise<void>;
  /** Ends every process, gateway first and mongod last. It also works during a start and after a failed one. */
  stop(): Promise<void>;
  /** Makes a stop in progress kill the services at once. mongod still ends cleanly. */
  hurry(): void;
}

const answerWithinMs = 90_000;

/** @throws ConfigError */
export function createLocalSystem({ env, root, write }: LocalSystemOptions): LocalSystem {
  const config = readLocalConfig(env, root);
  const { dataDir } = config;
  const stopping = new AbortController();
  const hurrying = new AbortController();
  let announced: (() => RunFile) | undefined;
  const settled = (): boolean => announced !== undefined && !stopping.signal.aborted;
  const terminal = createTerminal({ write, all: config.logAll, settled });
  let lock: DataDirLock | undefined;
  let fleet: Fleet | undefined;
  let starting: Promise<void> | undefined;

  const startAll = async (): Promise<void> => {
    lock = lockDataDir(dataDir);
    const orphans = await endOrphans(dataDir);
    if (orphans.length > 0) terminal.say('start', `ended what a killed start left running: ${orphans.join(', ')}`);
    const ports = await choosePorts(config);
    fleet = createFleet({
      dataDir,
      terminal,
      onChange: () => {
        if (announced !== undefined) writeRunFile(dataDir, announced());
      },
    });
    await fleet.keep(watchdogName, () => launchWatchdog(dataDir)).answering;
    const { mongodbUri, mailbox } = await startProcesses(fleet, ports);
    const describe = (): RunFile => ({
      gateway: localUrl(ports.gateway),
      grpc: Object.fromEntries(serviceNames.map((name) => [name, grpcAddress(ports, name)])) as RunFile['grpc'],
      mongodb: mongodbUri,
      mailbox,
      pids: fleet?.pids() ?? {},
    });
    if (config.sample) await addSample(ports);
    stopping.signal.throwIfAborted();
    announced = describe;
    writeRunFile(dataDir, describe());
    const seconds = performance.now() / 1_000;
    terminal.block(banner({ config, gatewayPort: ports.gateway, mailbox, root, seconds }));
  };

  const startProcesses = async (all: Fleet, ports: Ports): Promise<{ mongodbUri: string; mailbox: string | null }> => {
    const setup = { config, ports, root, env };
    const mailbox = config.smtpUrl === undefined ? localUrl(ports.mailbox) : null;
    if (mailbox !== null) all.keepProgram(describeMailbox(setup), (ended) => untilHttpOk(mailbox, ended));
    const mongodbUri = await runMongodb({
      env,
      dataDir,
      port: config.mongodPort,
      fleet: all,
      log: (line) => terminal.say('mongodb', line),
      signal: stopping.signal,
    });
    stopping.signal.throwIfAborted();
    const programs = describePrograms({ ...setup, mongodbUri });
    const healthUrl = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${ports.gateway}/readyz`;
    for (const name of serviceNames) {
      all.keepProgram(programs[name], (ended) => untilGrpcReady(grpcAddress(ports, name), ended));
    }
    all.keepProgram(programs.gateway, (ended) => untilHttpOk(healthUrl, ended));
    terminal.say('start', `waiting for ${[...serviceNames, 'gateway'].join(', ')}`);
    await all.allAnswer(answerWithinMs);
    return { mongodbUri, mailbox };
  };

  const addSample = async (ports: Ports): Promise<void> => {
    const log = (line: string): void => terminal.say('sample', line);
    const desk = createDesk({ root, env, ports, signal: stopping.signal });
    const sampleDir = join(root, 'deploy', 'local', 'sample');
    await importSample({ dataDir, sampleDir, desk, log }).catch((error: Error) => {
      stopping.signal.throwIfAborted();
      log(`left out: ${error.message}`);
    });
  };

  return {
    start: () => {
      starting = startAll();
      return starting;
    },
    stop: async () => {
      stopping.abort();
      await fleet?.stop(hurrying.signal);
      // A start in progress may have added processes since.
      await starting?.catch(() => undefined);
      await fleet?.stop(hurrying.signal);
      if (lock === undefined) return;
      removeRunFile(dataDir);
      lock.release();
    },
    hurry: () => hurrying.abort(),
  };
}
