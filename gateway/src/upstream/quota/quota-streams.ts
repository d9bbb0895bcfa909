import { performance } from 'node:perf_hooks';
import {
  type ConsumeRequest,
  type ConsumeResponse,
  QuotaServiceService,
  type SettleRequest,
  type SettleResponse,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { deadlineIn, type Logger, remainingMs } from '@knowledge/runtime';
import { type CallOptions, type ClientCallWatch, fromStatus, watchCalls } from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import {
  QuotaStream,
  type QuotaStreamCall,
  StreamCall,
  StreamFailure,
  type StreamRequest,
  type StreamResponse,
  unanswered,
} from './quota-stream.js';

export interface QuotaStreamsParts {
  /** Opens a call of `QuotaService.ConsumeStream`. */
  readonly open: () => QuotaStreamCall;
  readonly telemetry: Telemetry;
  readonly log: Logger;
  /** The longest time of one call. */
  readonly callMs: number;
  /**
   * The time after which every stream is replaced (default 5 s). It is shorter than the grace of the age limit of
   * connections, so that no stream is cut off, and new replicas get their share soon.
   */
  readonly renewMs?: number;
}

/** A call that got no response for this time is also sent to another replica, if there is one. */
const patienceMs = 500;
/** The largest number of times that a call is sent. */
const maxAttempts = 3;
const reopenAfterMs = 100;
const maxSearches = 3;
/** A loss is logged only if no stream is open for this time. */
const logLossAfterMs = 1_000;
/** The largest number of streams to open in one round of renewal. */
const maxOpened = 32;

const codes = { deadlineExceeded: 4, unavailable: 14 } as const;

/**
 * Quota calls over long-lived streams. It keeps one stream open to every replica of quota. A call goes to the replica with the fewest unanswered calls. If its
 * stream breaks, the call is sent again on another stream, with the same ids. Without a stream a call fails at once.
 *
 * gRPC does not say which replicas there are. But it gives each new stream to the next one, and every replica names
 * itself. So each renewal opens one stream more than there are replicas, and closes those that are double.
 */
export class QuotaStreams {
  private readonly streams = new Set<QuotaStream>();
  /** The newest open stream to each replica. */
  private readonly byReplica = new Map<string, QuotaStream>();
  /** Calls that wait for the first stream. */
  private readonly waiting = new Set<StreamCall>();
  private readonly watchConsume: Watch;
  private readonly watchSettle: Watch;
  private readonly renewMs: number;
  private readonly renewing: NodeJS.Timeout;
  private reopening: NodeJS.Timeout | undefined;
  private lossTimer: NodeJS.Timeout | undefined;
  /** Why the newest attempt to open a stream failed, and the reason that was logged last. */
  private loss: Error | undefined;
  private loggedLoss: unknown;
  private round = 0;
  /** The rounds that follow each other quickly after the first stream was opened. */
  private searches = 0;
  private number = 0;
  private closed = false;

  constructor(private readonly parts: QuotaStreamsParts) {
    this.watchConsume = watchCalls(parts.telemetry, QuotaServiceService.consume);
    this.watchSettle = watchCalls(parts.telemetry, QuotaServiceService.settle);
    this.renewMs = parts.renewMs ?? 5_000;
    this.renewing = setInterval(() => this.renew(), this.renewMs).unref();
    this.renew();
  }

  consume(request: ConsumeRequest, options: CallOptions): Promise<ConsumeResponse> {
    const sent = this.send({ $case: 'consume', value: request }, options, this.watchConsume);
    return sent as Promise<ConsumeResponse>;
  }

  settle(request: SettleRequest, options: CallOptions): Promise<SettleResponse> {
    return this.send({ $case: 'settle', value: request }, options, this.watchSettle);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.renewing);
    clearTimeout(this.reopening);
    clearTimeout(this.lossTimer);
    for (const call of [...this.waiting]) call.fail(codes.unavailable);
    for (const stream of [...this.streams]) {
      if (stream.load === 0) stream.cancel();
      else stream.finish();
    }
  }

  private send(call: StreamRequest['call'], options: CallOptions, watch: Watch): Promise<StreamResponse> {
    const latest = deadlineIn(this.parts.callMs);
    const deadline = options.deadline === undefined ? latest : Math.min(latest, options.deadline);
    const watched = watch(options);
    this.number = this.number === maxNumber ? 1 : this.number + 1;
    const { number } = this;
    const request = { number, requestId: options.requestId, traceparent: watched.traceparent ?? '', call };
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const cancel = () => sent.fail(codes.unavailable);
      const sent = new StreamCall(request, deadline, (result) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.waiting.delete(sent);
        if (!(result instanceof StreamFailure)) {
          watched.end(0);
          resolve(result);
          return;
        }
        watched.end(result.code);
        reject(result.status === undefined ? unanswered() : fromStatus(result.status));
      });
      let timer = setTimeout(
        () => {
          if (remainingMs(deadline) > 0) this.sendAgain(sent);
          timer = setTimeout(() => sent.fail(codes.deadlineExceeded), remainingMs(deadline));
        },
        Math.min(patienceMs, remainingMs(deadline)),
      );
      if (signal?.aborted) cancel();
      else {
        signal?.addEventListener('abort', cancel, { once: true });
        this.dispatch(sent);
      }
    });
  }

  /** Sends a call on the stream with the fewest unanswered calls. Without any it waits for one that is just opening. */
  private dispatch(call: StreamCall) {
    if (call.isOver) return;
    const stream = this.choose(call);
    if (stream !== undefined) stream.send(call);
    else if (this.isOpening && !this.closed) this.waiting.add(call);
    else call.fail(codes.unavailable);
  }

  /** Sends a call that waits for its response to another replica as well. */
  private sendAgain(call: StreamCall) {
    if (call.isOver || call.attempts >= maxAttempts) return;
    const stream = this.choose(call);
    if (stream !== undefined && !hasTried(call, stream)) stream.send(call);
  }

  private choose(call: StreamCall) {
    let best: QuotaStream | undefined;
    const cost = (stream: QuotaStream) => stream.load + (hasTried(call, stream) ? 1_000 : 0);
    for (const stream of this.byReplica.values()) {
      if (stream.isUsable && (best === undefined || cost(stream) < cost(best))) best = stream;
    }
    return best;
  }

  private get isOpening(): boolean {
    for (const stream of this.streams) if (stream.isOpening) return true;
    return false;
  }

  private renew() {
    clearTimeout(this.reopening);
    this.reopening = undefined;
    if (this.closed) return;
    this.round += 1;
    const replicas = this.byReplica.size;
    const wanted = replicas === 0 ? 1 : Math.min(replicas + 1, maxOpened);
    for (let at = 0; at < wanted; at += 1) {
      this.streams.add(new QuotaStream(this.parts.open(), this, this.round));
    }
    if (replicas > 0 && this.searches > 0) {
      this.searches -= 1;
      this.renewSoon();
    }
    // A replica that no new stream has reached for two rounds is left before its connection may be cut off.
    const tooOld = performance.now() - 2.5 * this.renewMs;
    for (const stream of [...this.byReplica.values()]) if (stream.begun < tooOld) this.leave(stream);
  }

  onOpened(stream: QuotaStream): void {
    const replica = stream.replicaId ?? '';
    const earlier = this.byReplica.get(replica);
    this.noteOpen();
    if (this.closed || earlier?.round === stream.round) {
      stream.finish();
      return;
    }
    const isFirst = this.byReplica.size === 0;
    this.byReplica.set(replica, stream);
    earlier?.finish();
    this.dispatchWaiting();
    // The first stream only shows that quota is there. The next rounds find the other replicas as they connect.
    if (isFirst) {
      this.searches = maxSearches;
      this.renewSoon();
    }
  }

  onClosing(stream: QuotaStream): void {
    this.leave(stream);
    this.replace(stream);
  }

  onEnded(stream: QuotaStream, lost: readonly StreamCall[], error: Error | undefined): void {
    this.streams.delete(stream);
    const wasUsed = stream.replicaId !== undefined && this.byReplica.get(stream.replicaId) === stream;
    if (wasUsed) this.byReplica.delete(stream.replicaId as string);
    if (wasUsed || this.byReplica.size === 0) this.replace(stream);
    for (const call of lost) {
      if (call.attempts >= maxAttempts) call.fail(codes.unavailable);
      else this.dispatch(call);
    }
    if (this.byReplica.size > 0) return;
    this.noteLoss(error);
    if (!this.isOpening) this.dispatchWaiting();
  }

  private dispatchWaiting() {
    for (const call of [...this.waiting]) {
      this.waiting.delete(call);
      this.dispatch(call);
    }
  }

  private leave(stream: QuotaStream) {
    if (stream.replicaId !== undefined && this.byReplica.get(stream.replicaId) === stream) {
      this.byReplica.delete(stream.replicaId);
    }
    stream.finish();
  }

  /** Opens streams in place of a lost one. After a good stream that is at once, so that calls need not fail meanwhile. */
  private replace({ replicaId, begun }: QuotaStream) {
    if (replicaId !== undefined && performance.now() - begun > reopenAfterMs) this.renew();
    else this.renewSoon();
  }

  private renewSoon() {
    if (!this.closed) this.reopening ??= setTimeout(() => this.renew(), reopenAfterMs).unref();
  }

  private noteOpen() {
    clearTimeout(this.lossTimer);
    this.lossTimer = undefined;
    if (this.loggedLoss !== undefined) this.parts.log.info('counting over a stream to quota again');
    this.loggedLoss = undefined;
    this.loss = undefined;
  }

  /** Logs why there is no stream, and again only when the reason becomes another one. */
  private noteLoss(error: Error | undefined) {
    this.loss = error ?? this.loss;
    if (this.closed || this.loggedLoss === reasonOf(this.loss)) return;
    this.lossTimer ??= setTimeout(() => {
      this.lossTimer = undefined;
      if (this.loggedLoss === reasonOf(this.loss)) return;
      this.loggedLoss = reasonOf(this.loss);
      this.parts.log.warn({ cause: this.loss?.message }, 'there is no stream to quota; opening a new one');
    }, logLossAfterMs).unref();
  }
}

function reasonOf(error: Error | undefined) {
  return error !== undefined && 'code' in error ? error.code : 'ended';
}

function hasTried({ tried }: StreamCall, { replicaId = '' }: QuotaStream) {
  return tried.has(replicaId);
}

type Watch = (options: CallOptions) => ClientCallWatch;

/** The largest uint32. */
const maxNumber = 0xffff_ffff;
