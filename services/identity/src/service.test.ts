import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { deadlineIn } from '@knowledge/runtime';
import { connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import { afterAll, expect, it } from 'vitest';
import { randomTokenSecret } from './domain/secret.js';
import { start } from './service.js';

const running = await start({
  LOG_LEVEL: 'silent',
  GRPC_ADDRESS: '127.0.0.1:0',
  MONGODB_URI: 'mongodb://127.0.0.1:1/?directConnection=true',
});
afterAll(() => running.close());

it('starts without its database and still refuses malformed tokens', async () => {
  const client = connectGrpc(IdentityServiceService, { address: running.address, deadlineMs: 5000 });
  try {
    await client.ready(deadlineIn(5000));
    const token = randomTokenSecret();
    const typo = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    const items = ['nonsense', token, typo].map((each) => ({ token: each, context: undefined }));
    const { results } = await client.resolveTokens({ items }, { requestId: 'r' });
    const codes = results.map(({ outcome }) => (outcome?.$case === 'error' ? fromStatus(outcome.value).code : outcome));
    expect(codes).toEqual(['invalid_token', 'unavailable', 'invalid_token']);
  } finally {
    client.close();
  }
});
