import { afterEach, expect, it } from 'vitest';
import type { HandlerContext } from './context.js';
import { call, closeFixtures, echoing, type Note } from './serving.fixture.js';
import { fromServiceError } from './status.js';

afterEach(closeFixtures);

it('refuses streams beyond the limit of a caller and method, and accepts more when some have ended', async () => {
  const wait = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const repeat = async (_request: Note, context: HandlerContext) => {
    context.announce({});
    await wait(context.signal);
  };
  const client = await echoing({ repeat }, { maxStreamsPerCaller: 2 });
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
  const outcome = () =>
    open()
      .begun.then(() => 'open')
      .catch(() => 'refused');
  await expect.poll(outcome).toBe('open');
});
