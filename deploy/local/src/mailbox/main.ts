import { choice, integer, readConfig, runMain, string } from '@knowledge/runtime';
import { startMailbox } from './start.js';

await runMain(async (env) => {
  const config = readConfig(env, {
    MAILBOX_DIR: string({ description: 'where the mails are kept' }),
    MAILBOX_HOST: string({ default: '127.0.0.1' }),
    MAILBOX_PORT: integer({ min: 0, max: 65_535, default: 0, description: 'of the page' }),
    SMTP_PORT: integer({ min: 0, max: 65_535, default: 0 }),
    LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], { default: 'info' }),
  });
  return startMailbox({
    dir: config.MAILBOX_DIR,
    host: config.MAILBOX_HOST,
    smtpPort: config.SMTP_PORT,
    httpPort: config.MAILBOX_PORT,
    logLevel: config.LOG_LEVEL,
  });
});
