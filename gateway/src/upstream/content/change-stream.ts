import { performance } from 'node:perf_hooks';
import type { Change, WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { Logger } from '@knowledge/runtime';

/** The part of a grpc-js bidirectional call that a change stream uses. */
interface WatchChangesCall {
  write(message: WatchChangesRequest): boolean;
  cancel(): void;
  on(event: 'data', listener: (message: WatchChangesResponse) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
}

export interface ChangeStreamOptions {
  /** Opens `ContentService.WatchChanges`. */
  open: () => WatchChangesCall;
  /** Called for every change, in order, before any pong that covers it. */
  onChange: (change: Change) => void;
  /** Called when changes may have been missed, so that nothing cached before can be trusted. */
  onLost: () => void;
  log: Logger;
}

/** Follows the changes of content and knows up to when it has received all of them. */
export interface ChangeStream {
  /**
   * Every change that content acknowledged before this time (`performance.now()`) has been received. It is when the last
   * ping with a pong was sent; `-Infinity` before the first pong.
   */
  readonly provenUntil: number;
  /** Call it for every read: pings are frequent only while there are readers. */
  noteReader(): void;
  /** Resolves to true at the next pong, to false if none is expected soon or none came within `ms`. */
  nextPong(ms: number): Promise<boolean>;
  /** Figures for health and metrics. */
  readonly connected: boolean;
  close(): void;
}

/** The time between pings while there are readers; the freshness window must be a few times as long. */
const pingEveryMs = 20;
/** The time between pings without readers, which only find a dead stream. */
const idlePingEveryMs = 1_000;
/** How long after the last reader pings stay frequent. */
const activeForMs = 2_000;
/** A stream without a pong for this long is closed and opened anew. */
const deadAfterMs = 2_000;
const reopenAfterMs = 100;
/** The loss of a stream is logged only if it is still down after this long. */
const logLossAfterMs = 1_000;

/**
 * Keeps one change stream open and proves with pings how fresh the cache is (gateway/PROTOCOL.md#withdrawal). A stalled
 * stream sends no pongs, so that cached responses expire. A new stream resumes at the last position and misses no change.
 */
export function followChanges(options: ChangeStreamOptions): ChangeStream {
  return new PingedChangeStream(options);
}

class PingedChangeStream implements ChangeStream {
  provenUntil = Number.NEGATIVE_INFINITY;
  connected = false;
  private stream: WatchChangesCall | undefined;
  private position = 0;
  private nonce = 0;
  private readonly sentAt = new Map<number, number>();
  private lastReceived = performance.now();
  private lastReader = Number.NEGATIVE_INFINITY;
  private lastPing = Number.NEGATIVE_INFINITY;
  private lastLogged = Number.NEGATIVE_INFINITY;
  /** Runs after a loss. A stream that opens again before it ends was only renewed. */
  private lossTimer: NodeJS.Timeout | undefined;
  private quiet = false;
  private waiters: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reopening: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: ChangeStreamOptions) {
    this.openStream();
    this.timer = setInterval(() => this.tick(), pingEveryMs);
    this.timer.unref();
  }

  noteReader(): void {
    const now = performance.now();
    const idle = now - this.lastReader > activeForMs;
    this.lastReader = now;
    if (idle) this.ping(now);
  }

  nextPong(ms: number): Promise<boolean> {
    const oldest = this.sentAt.values().next().value;
    if (!this.connected || oldest === undefined || performance.now() - oldest > ms) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      this.waiters.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.reopening);
    clearTimeout(this.lossTimer);
    this.stream?.cancel();
  }

  private tick(): void {
    const now = performance.now();
    const every = now - this.lastReader <= activeForMs ? pingEveryMs : idlePingEveryMs;
    if (now - this.lastPing >= every - 1) this.ping(now);
    const patience = every === pingEveryMs ? deadAfterMs : deadAfterMs + idlePingEveryMs;
    if (this.stream !== undefined && now - this.lastReceived > patience) this.drop(new Error('no ping was answered'));
  }

  private ping(now: number): void {
    if (!this.connected || this.stream === undefined) return;
    this.lastPing = now;
    this.nonce += 1;
    this.sentAt.set(this.nonce, now);
    this.stream.write({ message: { $case: 'ping', value: { nonce: String(this.nonce) } } });
  }

  private openStream(): void {
    this.lastReceived = performance.now();
    const stream = this.options.open();
    this.stream = stream;
    stream.on('data', (message) => {
      if (stream === this.stream) this.receive(message);
    });
    const ended = (error?: Error): void => {
      if (stream === this.stream) this.drop(error ?? new Error('the stream ended'));
    };
    stream.on('error', ended);
    stream.on('end', () => ended());
    stream.write({ message: { $case: 'start', value: { afterPosition: String(this.position) } } });
  }

  private receive({ message }: WatchChangesResponse): void {
    this.lastReceived = performance.now();
    switch (message?.$case) {
      case 'started':
        this.begin(message.value.position);
        return;
      case 'change':
        this.position = Math.max(this.position, message.value.position);
        this.options.onChange(message.value);
        return;
      case 'pong':
        this.prove(Number(message.value.nonce));
        return;
      case undefined:
        return;
    }
  }

  private begin(position: number): void {
    // Changes that end before our position come from another database, for example a restored one.
    if (this.position === 0 || position < this.position) {
      this.position = position;
      this.options.onLost();
    }
    this.connected = true;
    clearTimeout(this.lossTimer);
    this.lossTimer = undefined;
    // Renewals are not logged: the server ends every connection after `GRPC_MAX_CONNECTION_AGE_SECONDS`.
    if (!this.quiet) this.options.log.info({ position }, 'following content changes');
    this.quiet = true;
    this.ping(performance.now());
  }

  private prove(nonce: number): void {
    const sent = this.sentAt.get(nonce);
    if (sent === undefined) return;
    for (const earlier of this.sentAt.keys()) {
      if (earlier > nonce) break;
      this.sentAt.delete(earlier);
    }
    this.provenUntil = Math.max(this.provenUntil, sent);
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
  }

  // Logged at most every 10 s, since an outage must not fill the log.
  private logLoss(error: Error): void {
    const now = performance.now();
    if (now - this.lastLogged < 10_000) return;
    this.lastLogged = now;
    this.quiet = false;
    this.options.log.warn({ cause: error.message }, 'lost the stream of content changes; opening another');
  }

  private drop(error: Error): void {
    const stream = this.stream;
    this.stream = undefined;
    this.connected = false;
    this.sentAt.clear();
    stream?.cancel();
    if (this.closed) return;
    this.lossTimer ??= setTimeout(() => {
      this.lossTimer = undefined;
      this.logLoss(error);
    }, logLossAfterMs);
    this.lossTimer.unref();
    clearTimeout(this.reopening);
    this.reopening = setTimeout(() => this.openStream(), reopenAfterMs);
    this.reopening.unref();
  }
}
