import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Change, WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { ServedContent } from './serve-content.js';

/** A client of WatchChanges that records the changes, in place of a gateway's cache. */
export interface Watcher {
  readonly call: ClientDuplexStream<WatchChangesRequest, WatchChangesResponse>;
  /** The changes in the order of arrival. */
  readonly changes: Change[];
  /** The last cursor. Another watch can resume there. */
  cursor(): string;
  /** The position of `started`. */
  readonly started: Promise<number>;
  /** Sends a ping. Resolves to the position of the pong. */
  ping(): Promise<number>;
  /** Resolves when the stream has ended, with the error if there was one. */
  readonly over: Promise<Error | undefined>;
}

/** Opens a watch on the service. */
export function openWatcher(
  { content }: ServedContent,
  afterPosition = 0,
  afterCursor?: string,
  withSynonyms = false,
): Watcher {
  const call = content.watchChanges({ requestId: 'watch' });
  const changes: Change[] = [];
  const pongs = new Map<number, (position: number) => void>();
  let cursor = '';
  let begun: (position: number) => void = () => undefined;
  const started = new Promise<number>((resolve) => {
    begun = resolve;
  });
  call.on('data', ({ message }: WatchChangesResponse) => {
    if (message?.$case === 'started' || message?.$case === 'change') cursor = message.value.cursor ?? '';
    if (message?.$case === 'started') begun(message.value.position);
    if (message?.$case === 'change') changes.push(message.value);
    if (message?.$case === 'pong') pongs.get(Number(message.value.nonce))?.(message.value.position);
  });
  const over = new Promise<Error | undefined>((resolve) => {
    call.on('error', resolve);
    call.on('end', () => resolve(undefined));
  });
  call.write({
    message: { $case: 'start', value: { afterPosition: String(afterPosition), afterCursor, withSynonyms } },
  });
  let nonce = 0;
  return {
    call,
    changes,
    cursor: () => cursor,
    started,
    over,
    ping() {
      nonce += 1;
      const mine = nonce;
      call.write({ message: { $case: 'ping', value: { nonce: String(mine) } } });
      return new Promise((resolve) => pongs.set(mine, resolve));
    },
  };
}
