import { join, resolve } from 'node:path';
import { boolean, choice, type Environment, integer, readConfig, text, url } from '@knowledge/runtime';

/** The environment of a local start (deploy/local/README.md). */
export type LocalConfig = ReturnType<typeof readLocalConfig>;

/** @throws ConfigError that lists every invalid variable */
export function readLocalConfig(env: Environment, root: string) {
  const port = (of: string) => integer({ min: 1, max: 65_535, optional: true, description: `port of ${of}` });
  const config = readConfig(env, {
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
    DESK_PORT: port('the web desk; 8085 if it is free'),
  });
  // Brackets belong to a URL, and people copy them.
  const HOST = config.HOST.replace(/^\[(.*)\]$/, '$1');
  return { ...config, HOST, dataDir: config.DATA_DIR === undefined ? join(root, '.data') : resolve(config.DATA_DIR) };
}
