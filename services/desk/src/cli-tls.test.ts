import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { createLogger } from '@knowledge/runtime';
import { accessTable, implement, protoService, serveGrpc } from '@knowledge/runtime/grpc';
import { createTestAuthority, ownFolder } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { runCaptured } from './command-lines.js';

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
const directory = ownFolder();
const { cert, key } = authority.issue('support');
for (const [name, pem] of Object.entries({ ca: authority.ca, cert, key })) writeFileSync(join(directory, name), pem);

afterAll(() => server.close());

function run(argv: string[], env: Record<string, string> = {}) {
  const host = { env, cwd: directory, stdin: new PassThrough(), interrupted: new AbortController().signal };
  return runCaptured([...argv, '--quota', server.address, '--json'], host);
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
  const { code, stderr } = await run(['quota', 'show', 'client:a', ...files]);
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    error: 'permission_denied',
    message: expect.stringContaining(
      'support may not call knowledge.quota.v1.QuotaAdminService/ShowSubject; it may call QuotaAdminService/ResetSubject.',
    ),
  });
});
