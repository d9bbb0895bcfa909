import { randomUUID } from 'node:crypto';
import type { Status } from '@knowledge/proto/google/rpc/status';
import type { Deadline } from '../deadline.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { renewTraceparent } from '../telemetry/traceparent.js';
import { type CallNames, type HandlerContext, isRequestId } from './context.js';
import type { Method } from './definition.js';
import { FailureLog } from './failure-log.js';
import { watchMethod } from './server-telemetry.js';
import { toServiceError, toStatus } from './status.js';

/** What a message of a stream says about the call that it carries, instead of metadata and a deadline. */
export interface StreamCallFacts {
  readonly requestId: string;
  /** Empty if the call has no trace. */
  readonly traceparent: string;
  readonly deadline: Deadline;
}

/** The context of one call on a stream. */
export type StreamCallContext = Pick<HandlerContext, 'requestId' | 'deadline' | 'log'>;

/** Runs a handler for one call on a stream. Resolves to its response, or to the status of its error. Never rejects. */
export type RunStreamCall = <R>(
  stream: HandlerContext,
  facts: StreamCallFacts,
  handler: (call: StreamCallContext) => Promise<R>,
) => Promise<{ response: R } | { error: Status }>;

/** Measures, traces and logs calls on a stream as calls of a unary method. */
export function streamCallsOf({ path, ...method }: Method, telemetry: Telemetry): RunStreamCall {
  const watch = watchMethod(telemetry, { path, ...method });
  const failures = new FailureLog();
  return async (stream, { requestId, deadline, ...facts }, handler) => {
    const traceparent = renewTraceparent(facts.traceparent);
    const { span, end } = watch(traceparent);
    const names = { requestId: isRequestId(requestId) ? requestId : randomUUID(), traceparent, method: path };
    const context = contextOf(stream, names, deadline);
    try {
      const response = await (span === undefined
        ? handler(context)
        : telemetry.tracing.within(span, () => handler(context)));
      end(0);
      return { response };
    } catch (error) {
      failures.report(error, context);
      end(toServiceError(error, names.requestId).code ?? unknownCode);
      return { error: toStatus(error, names.requestId) };
    }
  };
}

const unknownCode = 2;

/** The context of the stream with the facts of one call. Its log is made on first use, since few calls write to it. */
function contextOf(stream: HandlerContext, names: CallNames, deadline: Deadline): HandlerContext {
  let log: Logger | undefined;
  const own = {
    requestId: names.requestId,
    traceparent: names.traceparent,
    method: names.method,
    deadline,
    get log() {
      log ??= stream.logOf(names);
      return log;
    },
  };
  return Object.setPrototypeOf(own, stream) as HandlerContext;
}
