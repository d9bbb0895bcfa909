import { join, resolve } from 'node:path';
import { boolean, choice, type Environment, integer, readConfig, text, url } from '@knowledge/runtime';

/** The environment of a local start (ARCHITECTURE.md#local-start). */
export interface LocalConfig {
  readonly dataDir: string;
  readonly host: string;
  /** The port of the gateway; 0 chooses a free one. */
  readonly port: number;
  /** Configured ports of the other servers. Absent ones are chosen once and stored for later starts. */
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
  /** The configured port of the mongod that we start. */
  readonly mongodPort: number | undefined;
  readonly smtpUrl: string | undefined;
  readonly sample: boolean;
  readonly publicUrlIo: string | undefined;
  readonly publicUrlOrg: string | undefined;
  /** Whether the terminal shows every log line. */
  readonly logAll: boolean;
}

/** The servers whose ports the runner chooses. */
export const portNames = ['content', 'quota', 'identity', 'contributions', 'smtp', 'mailbox'] as const;
export type PortName = (typeof portNames)[number];

/** @throws ConfigError that lists every invalid variable */
export function readLocalConfig(env: Environment, root: string): LocalConfig {
  const port = (of: string) => integer({ min: 1, max: 65_535, optional: true, description: `port of ${of}` });
  const read = readConfig(env, {
    PORT: integer({ min: 0, max: 65_535, default: 8080, description: 'of the gateway; 0 takes a free one' }),
    HOST: text({ default: '127.0.0.1', description: 'where the gateway listens' }),
    DATA_DIR: text({ optional: true, description: 'where data, mails and logs are kept' }),
    MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true, optional: true }),
    SMTP_URL: url({ schemes: ['smtp', 'smtps'], secret: true, optional: true }),
    SAMPLE: boolean({ default: true, description: 'sample content for an empty database' }),
    PUBLIC_URL_IO: url({ optional: true }),
    PUBLIC_URL_ORG: url({ optional: true }),
    LOG: choice(['all'], { optional: true }),
    CONTENT_PORT: port('content'),
    QUOTA_PORT: port('quota'),
    IDENTITY_PORT: port('identity'),
    CONTRIBUTIONS_PORT: port('contributions'),
    MONGODB_PORT: port('MongoDB'),
    SMTP_PORT: port("the mailbox's SMTP server"),
    MAILBOX_PORT: port("the mailbox's page"),
  });
  const ports = Object.fromEntries(
    portNames.flatMap((name) => {
      const value = read[`${name.toUpperCase() as Uppercase<PortName>}_PORT`];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    dataDir: read.DATA_DIR === undefined ? join(root, '.data') : resolve(read.DATA_DIR),
    host: read.HOST,
    port: read.PORT,
    ports,
    mongodPort: read.MONGODB_PORT,
    smtpUrl: read.SMTP_URL,
    sample: read.SAMPLE,
    publicUrlIo: read.PUBLIC_URL_IO,
    publicUrlOrg: read.PUBLIC_URL_ORG,
    logAll: read.LOG === 'all',
  };
}
