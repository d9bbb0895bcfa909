import type {
  ConsumeResponse,
  ConsumeStreamRequest,
  ConsumeStreamResponse,
  SettleResponse,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, KnowledgeError, remainingMs } from '@knowledge/runtime';

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
    const { number, requestId, traceparent, call } = this.request;
    const left = Math.round(remainingMs(this.deadline));
    const timeout = { seconds: Math.floor(left / 1000), nanos: (left % 1000) * 1_000_000 };
    return { number, context: { requestId, traceparent, timeout }, call };
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

  private finish(result: StreamResponse | StreamFailure): void {
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
