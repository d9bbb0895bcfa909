import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { Change, WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { ServedContent } from './serve-content.js';

/** A cache as a gateway has one, reduced to what it receives. */
export interface Watcher {
  readonly call: ClientDuplexStream<WatchChangesRequest, WatchChangesResponse>;
  /** In the order of arrival. */
  readonly changes: Change[];
  /** Where to resume. */
  cursor(): string;
  /** The position of `started`. */
  readonly started: Promise<number>;
  /** Resolves at the pong, to its position. */
  ping(): Promise<number>;
  /** Resolves when the stream is over, with its error if it had one. */
  readonly over: Promise<Error | undefined>;
}

/** Opens a watch. */
export function openWatcher({ content }: ServedContent, afterPosition = 0, afterCursor?: string): Watcher {
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
  call.write({ message: { $case: 'start', value: { afterPosition: String(afterPosition), afterCursor } } });
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
