import { performance } from 'node:perf_hooks';
import type {
  ConsumeResponse,
  ConsumeStreamRequest,
  ConsumeStreamResponse,
  SettleResponse,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, KnowledgeError } from '@knowledge/runtime';
import { itemContext } from '../calls.js';

/** The part of a grpc-js bidirectional call that a quota stream uses. */
export interface QuotaStreamCall {
  write(message: ConsumeStreamRequest): boolean;
  end(): void;
  cancel(): void;
  on(event: 'data', listener: (message: ConsumeStreamResponse) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

interface QuotaStreamEvents {
  /** The replica of quota has accepted the stream. */
  onOpened(stream: QuotaStream): void;
  /** The replica takes no further calls on this stream. */
  onClosing(stream: QuotaStream): void;
  /** The stream is over. `lost` are the calls that it did not answer. */
  onEnded(stream: QuotaStream, lost: readonly StreamCall[], error: Error | undefined): void;
}

/** A replica with this number of unanswered calls gets no further ones. */
const maxUnanswered = 64;

/** The longest time that a stream may take to open, and to answer its last calls after it was closed. */
const openMs = 2_000;
const finishMs = 5_000;

/** One stream to one replica of quota. */
export class QuotaStream {
  /** The replica; undefined until the stream is open. */
  replicaId: string | undefined;
  /** When the stream was requested (`performance.now()`). */
  readonly begun = performance.now();
  private readonly sent = new Map<number, StreamCall>();
  private state: 'opening' | 'open' | 'finishing' | 'ended' = 'opening';
  private timer: NodeJS.Timeout;

  constructor(
    private readonly call: QuotaStreamCall,
    private readonly events: QuotaStreamEvents,
    /** The round of renewal that opened the stream. */
    readonly round: number,
  ) {
    this.timer = setTimeout(() => this.cancel(new Error('the stream does not open')), openMs).unref();
    call.on('data', (message) => this.receive(message));
    call.on('error', (error) => this.over(error));
    call.on('end', () => this.over());
  }

  get isOpening(): boolean {
    return this.state === 'opening';
  }

  get isUsable(): boolean {
    return this.state === 'open' && this.sent.size < maxUnanswered;
  }

  /** The number of calls without a response. */
  get load(): number {
    return this.sent.size;
  }

  send(call: StreamCall): void {
    call.tried.add(this.replicaId ?? '');
    call.attempts += 1;
    this.sent.set(call.request.number, call);
    this.call.write(call.message());
  }

  /** Takes no further calls. Quota still answers those that it has, and then ends the stream. */
  finish(): void {
    if (this.state !== 'open') return;
    this.state = 'finishing';
    this.call.end();
    this.timer = setTimeout(() => this.cancel(new Error('the stream does not end')), finishMs).unref();
  }

  cancel(error?: Error): void {
    this.call.cancel();
    this.over(error);
  }

  private receive({ number, message }: ConsumeStreamResponse) {
    if (this.state === 'ended') return;
    switch (message?.$case) {
      case 'opened':
        clearTimeout(this.timer);
        this.replicaId = message.value.replicaId;
        this.state = 'open';
        this.events.onOpened(this);
        return;
      case 'closing':
        this.events.onClosing(this);
        return;
      default: {
        const call = this.sent.get(number);
        this.sent.delete(number);
        call?.answer(message);
      }
    }
  }

  private over(error?: Error) {
    if (this.state === 'ended') return;
    this.state = 'ended';
    clearTimeout(this.timer);
    const lost = [...this.sent.values()].filter(({ isOver }) => !isOver);
    this.sent.clear();
    this.events.onEnded(this, lost, error);
  }
}

/** The response of a call on a stream. */
export type StreamResponse = ConsumeResponse | SettleResponse;

/** The part of a request that every attempt repeats. */
export interface StreamRequest {
  readonly number: number;
  readonly requestId: string;
  readonly traceparent: string;
  readonly call: NonNullable<ConsumeStreamRequest['call']>;
}

/** One call to quota over streams. It may be sent on several of them; the first response counts. */
export class StreamCall {
  /** The replicas to which the call was sent, and how many times it was sent. */
  readonly tried = new Set<string>();
  attempts = 0;
  private over = false;

  constructor(
    readonly request: StreamRequest,
    readonly deadline: Deadline,
    private readonly end: (result: StreamResponse | StreamFailure) => void,
  ) {}

  get isOver(): boolean {
    return this.over;
  }

  /** The message for one attempt, with the time that is left. */
  message(): ConsumeStreamRequest {
    const { number, requestId: id, traceparent, call } = this.request;
    return { number, context: itemContext({ id, traceparent, deadline: this.deadline }), call };
  }

  answer(message: ConsumeStreamResponse['message']): void {
    switch (message?.$case) {
      case 'consumed':
      case 'settled':
        this.finish(message.value);
        return;
      case 'error':
        this.finish(new StreamFailure(message.value.code, message.value));
        return;
      default:
        this.finish(new StreamFailure(internalCode));
    }
  }

  fail(code: number): void {
    this.finish(new StreamFailure(code));
  }

  private finish(result: StreamResponse | StreamFailure) {
    if (this.over) return;
    this.over = true;
    this.end(result);
  }
}

/** Why a call on a stream failed: a gRPC status code, and the status from quota if there is one. */
export class StreamFailure {
  constructor(
    readonly code: number,
    readonly status?: Extract<NonNullable<ConsumeStreamResponse['message']>, { $case: 'error' }>['value'],
  ) {}
}

const internalCode = 13;

/** The error of a call that no stream could carry, or that got no response in time. */
export function unanswered(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The quota does not answer in time; try again.', { retryAfterSeconds: 1 });
}
