import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { deskOf } from '../../harness/desk.js';
import { asTester } from '../../harness/system.js';
import { root } from './kubectl.js';

/** Imports most of the sample content that `npm start` uses. Returns the slugs of published articles. */
export async function importSample(grpc: Record<string, string>): Promise<string[]> {
  const desk = deskOf({ addresses: grpc as never });
  for (const site of ['io', 'org']) {
    const folder = join(root, 'deploy/local/sample', site);
    await desk.json('article', 'import', join(folder, 'articles'), '--publish', '--site', site);
    await desk.json('object', 'import', join(folder, 'objects'), '--site', site);
  }
  await desk.json(
    'highlight',
    'set',
    '--site',
    'org',
    'rolling-out-sso',
    '--note',
    'rolling-out-sso=Start here.',
    '--yes',
  );
  await desk.json(
    'prompt',
    'create',
    '--site',
    'org',
    '--question',
    'What did your last roll-out teach you?',
    '--activate',
    '--yes',
  );
  const articles = await desk.json<{ slug: string; state: string }[]>('article', 'list', '--site', 'org');
  return articles.filter(({ state }) => state === 'published').map(({ slug }) => slug);
}

/** Issues tokens for new e-mails through the API for support. */
export async function issueTokens(address: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  const grants = connectGrpc(GrantAdminServiceService, { address, deadlineMs: 10_000 });
  try {
    for (let at = 0; at < count; at += 1) {
      const email = `trial-${randomUUID()}@example.org`;
      const request = { email, agentName: 'trial', scopes: [Scope.WRITE_STORY], reason: 'a trial' };
      tokens.push((await grants.issueToken(request, asTester())).secret);
    }
    return tokens;
  } finally {
    grants.close();
  }
}
