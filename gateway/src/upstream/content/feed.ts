import { performance } from 'node:perf_hooks';
import type { Change, WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { Logger } from '@knowledge/runtime';

/** The part of a grpc-js bidirectional call that the feed uses. */
export interface ChangeStream {
  write(message: WatchChangesRequest): boolean;
  cancel(): void;
  on(event: 'data', listener: (message: WatchChangesResponse) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
}

/** What the feed needs. */
export interface FeedOptions {
  /** Opens `ContentService.WatchChanges`. */
  open: () => ChangeStream;
  /** Told of every change, in order, before any pong that covers it. */
  onChange: (change: Change) => void;
  /** Told when changes may have been missed, so that nothing held before can be trusted. */
  onLost: () => void;
  log: Logger;
}

/** Follows what changes in the content service and knows up to when it has heard of everything. */
export interface Feed {
  /**
   * The point in time (`performance.now()`) up to which every acknowledged change has been heard: when the last answered ping
   * was sent. `-Infinity` before the first answer.
   */
  readonly knownUntil: number;
  /** Says that readers are there, so that pings are frequent. */
  touch(): void;
  /** Resolves to true at the next pong, to false if none is expected soon or none came within `ms`. */
  nextPong(ms: number): Promise<boolean>;
  /** Figures for health and metrics. */
  readonly connected: boolean;
  close(): void;
}

/** With readers about, a ping this often; a held answer's lease must be a few times as long. */
const pingEveryMs = 20;
/** Without readers, a ping this often keeps the stream proven. */
const idlePingEveryMs = 1_000;
/** How long after the last reader pings stay frequent. */
const activeForMs = 2_000;
/** A stream that answered no ping for this long is given up and opened anew. */
const deadAfterMs = 2_000;
const reopenAfterMs = 100;
/** A stream that is not open again within this time is told to be lost. */
const tellAfterMs = 1_000;

/**
 * Keeps one stream of changes open and proves with pings, end to end and by this process's own clock, how fresh what is held
 * is (gateway/PROTOCOL.md#withdrawal). A stream that is half-open, stalled or slow answers no ping,
 * so held answers lapse by themselves; after a break the stream resumes at the last position, so that nothing is missed.
 */
export function followChanges(options: FeedOptions): Feed {
  return new ChangeFeed(options);
}

class ChangeFeed implements Feed {
  knownUntil = Number.NEGATIVE_INFINITY;
  connected = false;
  private stream: ChangeStream | undefined;
  private position = 0;
  private nonce = 0;
  private readonly sentAt = new Map<number, number>();
  private lastHeard = performance.now();
  private lastTouched = Number.NEGATIVE_INFINITY;
  private lastPing = Number.NEGATIVE_INFINITY;
  private lastTold = Number.NEGATIVE_INFINITY;
  /** Runs from a loss on; a stream that is open again before it ends was only renewed. */
  private telling: NodeJS.Timeout | undefined;
  private quiet = false;
  private waiters: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reopening: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: FeedOptions) {
    this.openStream();
    this.timer = setInterval(() => this.tick(), pingEveryMs);
    this.timer.unref();
  }

  touch(): void {
    const now = performance.now();
    const idle = now - this.lastTouched > activeForMs;
    this.lastTouched = now;
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
    clearTimeout(this.telling);
    this.stream?.cancel();
  }

  private tick(): void {
    const now = performance.now();
    const every = now - this.lastTouched <= activeForMs ? pingEveryMs : idlePingEveryMs;
    if (now - this.lastPing >= every - 1) this.ping(now);
    const patience = every === pingEveryMs ? deadAfterMs : deadAfterMs + idlePingEveryMs;
    if (this.stream !== undefined && now - this.lastHeard > patience) this.drop(new Error('no ping was answered'));
  }

  private ping(now: number): void {
    if (!this.connected || this.stream === undefined) return;
    this.lastPing = now;
    this.nonce += 1;
    this.sentAt.set(this.nonce, now);
    this.stream.write({ message: { $case: 'ping', value: { nonce: String(this.nonce) } } });
  }

  private openStream(): void {
    this.lastHeard = performance.now();
    const stream = this.options.open();
    this.stream = stream;
    stream.on('data', (message) => {
      if (stream === this.stream) this.hear(message);
    });
    const ended = (error?: Error): void => {
      if (stream === this.stream) this.drop(error ?? new Error('the stream ended'));
    };
    stream.on('error', ended);
    stream.on('end', () => ended());
    stream.write({ message: { $case: 'start', value: { afterPosition: String(this.position) } } });
  }

  private hear({ message }: WatchChangesResponse): void {
    this.lastHeard = performance.now();
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
    // A log that is behind what was heard before is another log, for example a restored database.
    if (this.position === 0 || position < this.position) {
      this.position = position;
      this.options.onLost();
    }
    this.connected = true;
    clearTimeout(this.telling);
    this.telling = undefined;
    // A connection has an age at which the server ends it (`GRPC_MAX_CONNECTION_AGE_SECONDS`): that is no news.
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
    this.knownUntil = Math.max(this.knownUntil, sent);
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
  }

  // Told once, then at most every 10 s while it lasts: an outage is no reason to fill the log.
  private tellLost(error: Error): void {
    const now = performance.now();
    if (now - this.lastTold < 10_000) return;
    this.lastTold = now;
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
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.tellLost(error);
    }, tellAfterMs);
    this.telling.unref();
    clearTimeout(this.reopening);
    this.reopening = setTimeout(() => this.openStream(), reopenAfterMs);
    this.reopening.unref();
  }
}
