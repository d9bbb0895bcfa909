import { afterEach, expect, it } from 'vitest';
import { call, closeFixtures, echoClient, echoService, serve } from './serving.fixture.js';
import { fromServiceError } from './status.js';

afterEach(closeFixtures);

it('refuses streams beyond the limit of a caller and method, and accepts more when some have ended', async () => {
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const { address } = await serve({
    maxStreamsPerCaller: 2,
    services: [
      echoService({
        repeat: async (_request, context) => {
          context.announce({});
          await wait(context.signal);
        },
      }),
    ],
  });
  const client = echoClient(address);
  const open = () => {
    const stream = client.repeat({ text: '' }, call);
    const begun = new Promise<void>((resolve, reject) => {
      stream.once('metadata', () => resolve());
      stream.once('error', (error) => reject(fromServiceError(error)));
    });
    begun.catch(() => undefined);
    return { stream, begun };
  };
  const first = open();
  const second = open();
  await Promise.all([first.begun, second.begun]);
  await expect(open().begun).rejects.toMatchObject({ code: 'rate_limited', grpcStatus: 8 });
  expect(await client.echo({ text: 'a' }, call)).toEqual({ text: 'a' });
  first.stream.cancel();
  await expect
    .poll(() =>
      open().begun.then(
        () => 'open',
        () => 'refused',
      ),
    )
    .toBe('open');
});
