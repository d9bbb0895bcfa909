import { performance } from 'node:perf_hooks';
import type { Change, WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { Logger } from '@knowledge/runtime';

/** The part of a grpc-js bidirectional call that the change stream uses. */
interface WatchChangesCall {
  write(message: WatchChangesRequest): boolean;
  cancel(): void;
  on(event: 'data', listener: (message: WatchChangesResponse) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
}

export interface ChangeStreamParts {
  /** Opens a call of `ContentService.WatchChanges`. */
  open: () => WatchChangesCall;
  /** Called for each change, in order. A pong for a later ping is handled after the change. */
  onChange: (change: Change) => void;
  /** Called if changes may have been missed. Everything cached before must then be discarded. */
  onLost: () => void;
  log: Logger;
}

/** The milliseconds between two pings while there are reads. The freshness window must be at least twice as long. */
const pingEveryMs = 40;
/** The milliseconds between two pings without reads. These pings only detect a dead stream. */
const idlePingEveryMs = 2_000;
/** The milliseconds between two looks without reads, whether a ping is due or the stream is dead. */
const idleTickMs = 1_000;
/** Pings stay frequent for this time after the last read, in milliseconds. */
const activeForMs = 2_000;
/** If a stream sends nothing for this time, in milliseconds, it is closed and another one is opened. */
const deadAfterMs = 2_000;
/** A broken stream is opened again after this time, in milliseconds. One that has lasted this long is opened at once. */
const reopenAfterMs = 100;
/** A loss is logged only if no new stream has started within this time, in milliseconds. */
const logLossAfterMs = 1_000;

/**
 * Keeps one change stream open, and finds out with pings how current the cache is (gateway/PROTOCOL.md#withdrawal). If
 * the stream stalls, no pong arrives and cached responses expire. A new stream continues at the last position, so that
 * no change is missed.
 */
export class ChangeStream {
  /**
   * The time (`performance.now()`) before which no change is missing. It is the sending time of the newest ping that
   * content has answered with a pong; `-Infinity` before the first pong.
   */
  provenUntil = Number.NEGATIVE_INFINITY;
  connected = false;
  private stream: WatchChangesCall | undefined;
  private position = 0;
  private nonce = 0;
  private readonly sentAt = new Map<number, number>();
  private lastReceived = performance.now();
  private opened = performance.now();
  private dropped = Number.NEGATIVE_INFINITY;
  private lastReader = Number.NEGATIVE_INFINITY;
  private lastPing = Number.NEGATIVE_INFINITY;
  /** When pings became frequent. */
  private activeSince = Number.NEGATIVE_INFINITY;
  private lastLogged = Number.NEGATIVE_INFINITY;
  /** Runs after a loss. If a new stream starts before it ends, the loss is not logged. */
  private lossTimer: NodeJS.Timeout | undefined;
  private quiet = false;
  private waiters: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reopening: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly parts: ChangeStreamParts) {
    this.openStream();
    this.tick();
  }

  /** Call this for every read, because pings are frequent only if there were reads recently. */
  noteReader(): void {
    const now = performance.now();
    const idle = now - this.lastReader > activeForMs;
    this.lastReader = now;
    if (!idle) return;
    this.activeSince = now;
    this.ping(now);
    this.tick();
  }

  /** Resolves to true at the next pong. Resolves to false if no pong is expected, or if none comes within `ms`. */
  nextPong(ms: number): Promise<boolean> {
    const oldest = this.connected ? this.sentAt.values().next().value : this.dropped;
    if (oldest === undefined || performance.now() - oldest > ms) return Promise.resolve(false);
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
    clearTimeout(this.timer);
    clearTimeout(this.reopening);
    clearTimeout(this.lossTimer);
    this.stream?.cancel();
  }

  private tick() {
    if (this.closed) return;
    const now = performance.now();
    const every = now - this.lastReader <= activeForMs ? pingEveryMs : idlePingEveryMs;
    if (now - this.lastPing >= every - 1) this.ping(now);
    const patience = every === pingEveryMs ? deadAfterMs : deadAfterMs + idlePingEveryMs;
    // While pings were rare, a stream could be silent without being dead.
    const silentSince = Math.max(this.lastReceived, every === pingEveryMs ? this.activeSince : this.lastReceived);
    if (this.stream !== undefined && now - silentSince > patience) this.drop(new Error('no ping was answered'));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), every === pingEveryMs ? pingEveryMs : idleTickMs).unref();
  }

  private ping(now: number) {
    if (!this.connected || this.stream === undefined) return;
    this.lastPing = now;
    this.nonce += 1;
    this.sentAt.set(this.nonce, now);
    this.stream.write({ message: { $case: 'ping', value: { nonce: String(this.nonce) } } });
  }

  private openStream() {
    this.opened = performance.now();
    this.lastReceived = this.opened;
    const stream = this.parts.open();
    this.stream = stream;
    stream.on('data', (message) => {
      if (stream === this.stream) this.receive(message);
    });
    const ended = (error?: Error) => {
      if (stream === this.stream) this.drop(error ?? new Error('the stream ended'));
    };
    stream.on('error', ended);
    stream.on('end', () => ended());
    const value = { afterPosition: String(this.position), withSynonyms: true };
    stream.write({ message: { $case: 'start', value } });
  }

  private receive({ message }: WatchChangesResponse) {
    this.lastReceived = performance.now();
    switch (message?.$case) {
      case 'started':
        this.begin(message.value.position);
        return;
      case 'change':
        this.position = Math.max(this.position, message.value.position);
        this.parts.onChange(message.value);
        return;
      case 'pong':
        this.prove(Number(message.value.nonce));
        return;
      case undefined:
        return;
    }
  }

  private begin(position: number) {
    // A position lower than ours belongs to another database, for example to a restored one.
    if (this.position === 0 || position < this.position) {
      this.position = position;
      this.parts.onLost();
    }
    this.connected = true;
    clearTimeout(this.lossTimer);
    this.lossTimer = undefined;
    // Logged only the first time and after a logged loss, because the server often renews connections.
    if (!this.quiet) this.parts.log.info({ position }, 'following content changes');
    this.quiet = true;
    this.ping(performance.now());
  }

  private prove(nonce: number) {
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

  // Logs at most one line in 10 s, so that an outage does not fill the log.
  private logLoss(error: Error) {
    const now = performance.now();
    if (now - this.lastLogged < 10_000) return;
    this.lastLogged = now;
    this.quiet = false;
    this.parts.log.warn({ cause: error.message }, 'the stream of content changes broke; opening a new one');
  }

  private drop(error: Error) {
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
    // Reads wait for a pong of the next stream. So no time is lost if a server stops or renews a connection.
    this.dropped = performance.now();
    const pause = this.dropped - this.opened >= reopenAfterMs ? 0 : reopenAfterMs;
    this.reopening = setTimeout(() => this.openStream(), pause);
    this.reopening.unref();
  }
}
