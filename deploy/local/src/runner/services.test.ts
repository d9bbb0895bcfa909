import { expect, it } from 'vitest';
import { readLocalConfig } from './ports.js';
import { describeMailbox, describePrograms, reachableGateway } from './services.js';

const ports = {
  gateway: 1,
  content: 2,
  quota: 3,
  identity: 4,
  contributions: 5,
  smtp: 6,
  mailbox: 7,
  mongodb: 8,
  desk: 9,
};

it("has the operator's own variables, which also replace the mailbox and the addresses of the sites", () => {
  const programs = programsFor({
    QUOTA_ANONYMOUS_PER_ADDRESS: '30',
    SMTP_URL: 'smtp://mail.example:587',
    MAIL_FROM: 'we@example.org',
    PUBLIC_URL_IO: 'https://io.example',
  });
  expect(programs.quota.env).toMatchObject({ QUOTA_ANONYMOUS_PER_ADDRESS: '30' });
  const mail = { SMTP_URL: 'smtp://mail.example:587', MAIL_FROM: 'we@example.org' };
  expect(programs.identity.env).toMatchObject(mail);
  const sites = { PUBLIC_URL_IO: 'https://io.example', PUBLIC_URL_ORG: 'http://localhost:1' };
  expect(programs.contributions.env).toMatchObject({ ...mail, ...sites });
  expect(programs.gateway.env).toMatchObject(sites);
});

it('never shares what belongs to one process, nor shows the gateway the database', () => {
  const programs = programsFor({ MONGODB_URI: 'mongodb://u:secret@there', MONGODB_DATABASE: 'x', PORT: '8080' });
  expect(programs.gateway.env).not.toHaveProperty('MONGODB_URI');
  for (const { env } of Object.values(programs)) {
    expect(env).not.toHaveProperty('MONGODB_DATABASE');
    expect(env).not.toHaveProperty('PORT');
  }
});

it('gives each process an address of its own for its metrics', () => {
  const shown = (programs: ReturnType<typeof programsFor>) =>
    Object.fromEntries(Object.entries(programs).map(([name, { env }]) => [name, env['METRICS_ADDRESS']]));
  const at = (port: number) => `127.0.0.1:${port}`;
  const own = {
    gateway: at(9464),
    content: at(9465),
    quota: at(9466),
    identity: at(9467),
    contributions: at(9468),
    desk: at(9469),
  };
  expect(shown(programsFor({ METRICS_ADDRESS: at(9464) }))).toEqual(own);
  expect(new Set(Object.values(shown(programsFor({ METRICS_ADDRESS: at(0) }))))).toEqual(new Set([at(0)]));
  expect(new Set(Object.values(shown(programsFor({}))))).toEqual(new Set([undefined]));
});

it.each([
  ['::', '[::]:1', 'http://[::1]:1'],
  ['[::1]', '[::1]:1', 'http://[::1]:1'],
  ['0.0.0.0', '0.0.0.0:1', 'http://127.0.0.1:1'],
  ['localhost', 'localhost:1', 'http://localhost:1'],
])('lets the gateway listen at HOST=%s, and reaches it there', (HOST, listens, reached) => {
  const config = readLocalConfig({ HOST }, '/app');
  expect(programsFor({ HOST }).gateway.env).toMatchObject({ HTTP_ADDRESS: listens });
  expect(reachableGateway({ config, ports })).toBe(reached);
});

it('gives the mailbox its ports and a directory below the data', () => {
  const env = { DATA_DIR: '/data' };
  const { env: read } = describeMailbox({ config: readLocalConfig(env, '/repo'), ports, root: '/repo', env });
  expect(read).toMatchObject({ MAILBOX_DIR: '/data/mailbox', MAILBOX_PORT: '7', SMTP_PORT: '6' });
});

function programsFor(env: Record<string, string>) {
  const config = readLocalConfig(env, '/repo');
  return describePrograms({ config, ports, mongodbUri: 'mongodb://here', continuationKey: 'kept', root: '/repo', env });
}
