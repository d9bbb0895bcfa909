import { join } from 'node:path';
import { banner } from './banner.js';
import { readLocalConfig } from './config.js';
import { createDesk } from './desk.js';
import { createFleet, type Fleet } from './fleet.js';
import { launchGuard } from './launch-guard.js';
import { type DataDirLock, lockDataDir } from './lock.js';
import { choosePorts, type Ports } from './ports.js';
import { endLeftOvers, GUARD } from './process-records.js';
import { untilGrpcReady, untilHttpOk } from './ready.js';
import { type RunFile, removeRunFile, writeRunFile } from './run-file.js';
import { runMongodb } from './run-mongodb.js';
import { importSample } from './sample.js';
import { describeMailbox, describePrograms, grpcAddress, localUrl, SERVICE_NAMES } from './services.js';
import { createTerminal } from './terminal.js';

export interface LocalOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The root of the repository. */
  readonly root: string;
  readonly write: (text: string) => void;
}

/** The whole service on this machine, as one value: what `npm start` starts and stops. */
export interface Local {
  /** Resolves when everything answers and `run.json` is written; rejects when that cannot be. */
  start(): Promise<void>;
  /** Ends everything, gateway first and mongod last; also in the middle of a start, and after a failed one. */
  stop(): Promise<void>;
  /** Lets a stop that is under way not wait for the services any longer. mongod is still ended cleanly. */
  hurry(): void;
}

const ANSWER_WITHIN_MS = 90_000;

/** @throws ConfigError */
export function createLocal({ env, root, write }: LocalOptions): Local {
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
    const leftOvers = await endLeftOvers(dataDir);
    if (leftOvers.length > 0) terminal.say('start', `ended what a killed start left running: ${leftOvers.join(', ')}`);
    const ports = await choosePorts(config);
    fleet = createFleet({
      dataDir,
      terminal,
      onChange: () => {
        if (announced !== undefined) writeRunFile(dataDir, announced());
      },
    });
    await fleet.keep(GUARD, () => launchGuard(dataDir)).answering;
    const { mongodbUri, mailbox } = await startProcesses(fleet, ports);
    const describe = (): RunFile => ({
      gateway: localUrl(ports.gateway),
      grpc: Object.fromEntries(SERVICE_NAMES.map((name) => [name, grpcAddress(ports, name)])) as RunFile['grpc'],
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
    const surroundings = { config, ports, root, env };
    const mailbox = config.smtpUrl === undefined ? localUrl(ports.mailbox) : null;
    if (mailbox !== null) all.keepProgram(describeMailbox(surroundings), (ended) => untilHttpOk(mailbox, ended));
    const mongodbUri = await runMongodb({
      env,
      dataDir,
      port: config.mongodPort,
      fleet: all,
      log: (line) => terminal.say('mongodb', line),
      signal: stopping.signal,
    });
    stopping.signal.throwIfAborted();
    const programs = describePrograms({ ...surroundings, mongodbUri });
    const healthUrl = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${ports.gateway}/readyz`;
    for (const name of SERVICE_NAMES) {
      all.keepProgram(programs[name], (ended) => untilGrpcReady(grpcAddress(ports, name), ended));
    }
    all.keepProgram(programs.gateway, (ended) => untilHttpOk(healthUrl, ended));
    terminal.say('start', `waiting for ${[...SERVICE_NAMES, 'gateway'].join(', ')}`);
    await all.allAnswer(ANSWER_WITHIN_MS);
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
      // A start that was under way may have added processes in the meantime.
      await starting?.catch(() => undefined);
      await fleet?.stop(hurrying.signal);
      if (lock === undefined) return;
      removeRunFile(dataDir);
      lock.release();
    },
    hurry: () => hurrying.abort(),
  };
}
