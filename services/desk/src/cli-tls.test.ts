import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { createLogger } from '@knowledge/runtime';
import { accessTable, implement, protoService, serveGrpc } from '@knowledge/runtime/grpc';
import { createTestAuthority } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { runDesk } from './cli.js';

const authority = createTestAuthority();
const refuse = () => Promise.reject(new Error('Nobody gets here.'));
const server = await serveGrpc({
  address: '127.0.0.1:0',
  services: [
    implement(QuotaAdminServiceService, {
      ...{ showSubject: refuse, resetSubject: refuse },
      ...{ listLimits: refuse, setCeiling: refuse, watchSubjects: refuse },
    }),
  ],
  health: [],
  log: createLogger({ name: 'test', level: 'silent' }),
  tls: { ...authority.issue('quota'), ca: authority.ca },
  access: accessTable(
    protoService(QuotaAdminServiceService, {
      showSubject: ['operator'],
      resetSubject: ['support'],
      listLimits: [],
      setCeiling: [],
      watchSubjects: [],
    }),
  ),
});
const directory = mkdtempSync(join(tmpdir(), 'desk-tls-'));
const { cert, key } = authority.issue('support');
for (const [name, pem] of Object.entries({ ca: authority.ca, cert, key })) writeFileSync(join(directory, name), pem);

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await server.close();
});

async function run(argv: string[], env: Record<string, string> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const host = {
    env,
    cwd: directory,
    stdin: new PassThrough(),
    stdout,
    stderr,
    interrupted: new AbortController().signal,
  };
  const code = await runDesk([...argv, '--quota', server.address, '--json'], host);
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

const files = ['--tls-ca', 'ca', '--tls-cert', 'cert', '--tls-key', 'key'];

it('reads the certificates from flags and from variables', async () => {
  expect(await run(['status', ...files])).toMatchObject({ code: 0 });
  const env = { KNOWLEDGE_TLS_CA: 'ca', KNOWLEDGE_TLS_CERT: 'cert', KNOWLEDGE_TLS_KEY: 'key' };
  expect(await run(['status'], env)).toMatchObject({ code: 0 });
});

it('reaches no service without certificates', async () => {
  for (const argv of [['status'], ['status', '--tls-ca', 'ca']]) expect(await run(argv)).toMatchObject({ code: 1 });
});

it('explains that the certificate does not allow the call', async () => {
  const { code, err } = await run(['quota', 'show', 'client:a', ...files]);
  expect(code).toBe(1);
  expect(JSON.parse(err)).toMatchObject({
    error: 'permission_denied',
    message: expect.stringContaining(
      'support may not call knowledge.quota.v1.QuotaAdminService/ShowSubject; it may call QuotaAdminService/ResetSubject.',
    ),
  });
});
