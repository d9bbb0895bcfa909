import {
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ServiceConfig,
} from '@grpc/grpc-js';
import type { Deadline } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Role } from '../product/index.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Certificates, Tls } from './certificates.js';
import { encodeActor, metadataOf } from './context.js';
import {
  type Definition,
  idempotentMethods,
  type Method,
  type Request,
  type Response,
  serviceName,
} from './definition.js';
import { fromServiceError } from './status.js';
import { watchCalls } from './telemetry.js';
import { channelCredentials } from './tls.js';

export interface ConnectOptions {
  /** `host:port`, or `dns:///host:port` to use all replicas of a DNS name. */
  address: string;
  /** The name of the calling process. The server can log it (`user-agent`). */
  callerName?: string;
  tls?: Tls | Certificates | undefined;
  /** The longest time of a unary call (default 1,500 ms). */
  deadlineMs?: number;
  /** A unary call ends as unreachable if no connection opens within this time. Without it only its deadline ends it. */
  connectMs?: number;
  /** Measures every unary call, if set. */
  telemetry?: Telemetry | undefined;
}

/**
 * Metadata and limits of one call. It never contains user text, which belongs in the message
 * (SECURITY.md#between-the-services).
 */
export interface CallOptions {
  /** The id of the request that causes this call. */
  requestId: string;
  /** The deadline of the call. The client's own `deadlineMs` may end the call earlier. */
  deadline?: Deadline | undefined;
  /** Cancels the call when it aborts. */
  signal?: AbortSignal | undefined;
  /** The person or job that makes the call. */
  actor?: string | undefined;
  /** The roles of the staff member that makes the call. The services refuse what no role of them may. */
  roles?: readonly Role[] | undefined;
  /** The trace context of the request that causes this call. */
  traceparent?: string | undefined;
  /** The trace contexts of the requests in a batch. The batch gets its own trace. */
  batchedTraceparents?: readonly string[] | undefined;
}

/** The signature of a method. A unary method returns a promise, and the others return the call object of grpc-js. */
export type ClientMethod<M extends Method> = M extends { requestStream: true }
  ? (options: CallOptions) => ClientDuplexStream<Request<M>, Response<M>>
  : M extends { responseStream: true }
    ? (request: Request<M>, options: CallOptions) => ClientReadableStream<Response<M>>
    : (request: Request<M>, options: CallOptions) => Promise<Response<M>>;

/** The methods of a service, with control over the connection. */
export type GrpcClient<D extends Definition> = { readonly [Name in keyof D]: ClientMethod<D[Name]> } & {
  /** Resolves when the connection is open. Rejects with `unavailable` at the deadline. */
  ready(deadline: Deadline): Promise<void>;
  close(): void;
};

/**
 * Makes a typed client. A failed unary call rejects with a KnowledgeError, made by `fromServiceError`. A stream emits
 * the error of grpc-js, which `fromServiceError` can convert.
 */
export function connectGrpc<D extends Definition>(definition: D, options: ConnectOptions): GrpcClient<D> {
  const service = serviceName(definition);
  const client = new Client(options.address, channelCredentials(options.tls), channelOptions(service, options));
  const methods = Object.entries(definition).map(([name, method]) => [name, bindMethod(client, method, options)]);
  return {
    ...Object.fromEntries(methods),
    ready: (deadline: Deadline) =>
      new Promise<void>((resolve, reject) => {
        client.waitForReady(deadline, (error) => (error ? reject(unreachable(error)) : resolve()));
      }),
    close: () => client.close(),
  } as GrpcClient<D>;
}

function channelOptions(service: string, { callerName }: ConnectOptions): ChannelOptions {
  return {
    ...(callerName === undefined ? {} : { 'grpc.primary_user_agent': callerName }),
    'grpc.service_config': JSON.stringify(serviceConfigOf(service)),
    'grpc.service_config_disable_resolution': 1,
    // With these values a call reaches a service that is back before its own deadline. The defaults are 1 s and 120 s.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.dns_min_time_between_resolutions_ms': 2000,
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 3000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': 4 * 1024 * 1024,
    'grpc.enable_channelz': 0,
    // Ignores the proxy of the environment, since it is meant for the internet and not for our services.
    'grpc.enable_http_proxy': 0,
  };
}

function bindMethod(client: Client, method: Method, options: ConnectOptions): unknown {
  if (!method.responseStream) return unary(client, method, options);
  const { path } = method;
  const serialize = method.requestSerialize as (value: unknown) => Buffer;
  const deserialize = method.responseDeserialize;
  if (!method.requestStream) {
    return (request: unknown, options: CallOptions) => {
      const metadata = metadataFor(options);
      const call = client.makeServerStreamRequest(path, serialize, deserialize, request, metadata, timing(options));
      return cancelling(call, options.signal);
    };
  }
  return (options: CallOptions) => {
    const metadata = metadataFor(options);
    const call = client.makeBidiStreamRequest(path, serialize, deserialize, metadata, timing(options));
    return cancelling(call, options.signal);
  };
}

function unary(client: Client, method: Method, { deadlineMs = 1500, connectMs, telemetry }: ConnectOptions) {
  const { path, responseDeserialize } = method;
  const watch = telemetry && watchCalls(telemetry, method);
  const serialize = method.requestSerialize as (value: unknown) => Buffer;
  return (request: unknown, options: CallOptions) =>
    new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) {
        reject(unreachable(signal.reason));
        return;
      }
      const latest = Date.now() + deadlineMs;
      const deadline = options.deadline === undefined ? latest : Math.min(latest, options.deadline);
      const watched = watch?.(options);
      const metadata = metadataFor(watched ? { ...options, traceparent: watched.traceparent } : options);
      const call = client.makeUnaryRequest(
        path,
        serialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, response) => {
          if (signal !== undefined) signal.removeEventListener('abort', cancel);
          watched?.end(error?.code ?? 0);
          if (error) reject(fromServiceError(error));
          else resolve(response);
        },
      );
      const cancel = () => call.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (connectMs === undefined) return;
      client.waitForReady(Date.now() + connectMs, (error) => {
        if (error === undefined) return;
        reject(unreachable(error));
        cancel();
      });
    });
}

function metadataFor({ requestId, traceparent, actor, roles }: CallOptions) {
  return metadataOf({
    'x-request-id': requestId,
    traceparent,
    'x-actor': actor === undefined ? undefined : encodeActor(actor),
    'x-roles': roles?.join(),
  });
}

function timing({ deadline }: CallOptions): { deadline?: number } {
  return deadline === undefined || !Number.isFinite(deadline) ? {} : { deadline };
}

function cancelling<Call extends { cancel(): void; once(event: 'close', listener: () => void): unknown }>(
  call: Call,
  signal: AbortSignal | undefined,
) {
  if (signal === undefined) return call;
  const cancel = () => call.cancel();
  if (signal.aborted) queueMicrotask(cancel);
  else {
    signal.addEventListener('abort', cancel, { once: true });
    call.once('close', () => signal.removeEventListener('abort', cancel));
  }
  return call;
}

function unreachable(cause: unknown) {
  return new KnowledgeError('unavailable', 'The service is not reachable; try again.', { cause, retryAfterSeconds: 1 });
}

/**
 * The gRPC service config of a client: round robin, and retries only after UNAVAILABLE. It retries only methods whose
 * proto declares `idempotency_level` NO_SIDE_EFFECTS or IDEMPOTENT (SECURITY.md#between-the-services).
 */
export function serviceConfigOf(service: string): ServiceConfig {
  const name = idempotentMethods(service).map((method) => ({ service, method }));
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: name.length === 0 ? [] : [{ name, retryPolicy }],
    // Each failure costs a token. gRPC stops retrying while half of the tokens or more are used up.
    retryThrottling: { maxTokens: 100, tokenRatio: 0.1 },
  } as unknown as ServiceConfig;
}
