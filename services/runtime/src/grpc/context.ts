import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Metadata } from '@grpc/grpc-js';
import type { CallContext, Clock, Deadline } from '../deadline.js';
import type { Logger } from '../log/logger.js';
import { bounds } from '../product/index.js';
import { renewTraceparent, traceIdOf } from '../telemetry/tracing.js';
import { refuse } from '../text/faults.js';
import { codePoints } from '../text/hidden-characters.js';
import type { Attribution } from '../transition.js';
import { callerIdentity, type PeerCall, webDesk } from './access.js';

/** The call context that a gRPC handler receives. */
export interface HandlerContext extends CallContext {
  /** The actor: `x-actor`, under mutual TLS with the name in the certificate; only that name if nobody is sent. */
  readonly actor: string | undefined;
  /** A child of the server's log. Its lines contain the request id and the method. */
  readonly log: Logger;
  /** Makes such a log for one of the calls that a stream carries. */
  logOf(call: CallNames): Logger;
  /** The network address of the caller. */
  readonly peer: string;
  /** The full method name, e.g. `/knowledge.quota.v1.QuotaService/Consume`. */
  readonly method: string;
  /**
   * Sends metadata before the response, such as the cursor of a stream. Call it at most once, before
   * the first message.
   */
  announce(metadata: Readonly<Record<string, string>>): void;
  /**
   * Aborts when the server drains. A stream that reads this must end by itself soon after. The `signal` of every other
   * stream aborts at once.
   */
  readonly draining: AbortSignal;
}

/** What the log lines of a call contain. */
export interface CallNames {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly method: string;
}

/** The parts of a grpc-js call that a context uses. */
export interface ServerCall extends PeerCall {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  getDeadline(): Date | number;
  getPeer(): string;
  getPath(): string;
  sendMetadata(metadata: Metadata): void;
  once(event: 'cancelled', listener: () => void): unknown;
}

/** The deadline of a unary call, if the caller sets none. */
const defaultDeadlineMs = 10_000;

/** Computes each value of the context on first use, since most handlers use only a few. */
export class ServerCallContext implements HandlerContext {
  readonly requestId: string;
  readonly deadline: Deadline;
  private controller: AbortController | undefined;
  private drainController: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private childLog: Logger | undefined;
  private ownSpan: string | undefined;
  private time: Date | undefined;
  private over = false;

  constructor(
    private readonly call: ServerCall,
    private readonly serverLog: Logger,
    streaming: boolean,
    private readonly clock: Clock,
  ) {
    this.requestId = requestIdOf(call.metadata);
    const given = Number(call.getDeadline());
    this.deadline = given !== Number.POSITIVE_INFINITY || streaming ? given : Date.now() + defaultDeadlineMs;
  }

  get now(): Date {
    this.time ??= this.clock();
    return this.time;
  }

  get traceparent(): string | undefined {
    if (this.ownSpan !== undefined) return this.ownSpan;
    return renewTraceparent(first(this.call.metadata, 'traceparent'));
  }

  /** Set when the call has its own span. Further calls of the handler then belong to this span. */
  set traceparent(value: string) {
    this.ownSpan = value;
  }

  get actor(): string | undefined {
    return actorOf(first(this.call.metadata, 'x-actor'), callerIdentity(this.call));
  }

  get peer(): string {
    return this.call.getPeer();
  }

  get method(): string {
    return this.call.getPath();
  }

  get log(): Logger {
    this.childLog ??= this.logOf(this);
    return this.childLog;
  }

  logOf({ requestId, traceparent, method }: CallNames): Logger {
    const trace = traceparent === undefined ? {} : { trace_id: traceIdOf(traceparent) };
    return this.serverLog.child({ request_id: requestId, ...trace, method });
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      // A handler may send many queries at once, each of which listens.
      setMaxListeners(0, this.controller.signal);
      if (this.call.cancelled) this.abort(new DOMException('The caller is gone.', 'AbortError'));
      else if (!this.over) this.watch();
    }
    return this.controller.signal;
  }

  get draining(): AbortSignal {
    this.drainController ??= new AbortController();
    return this.drainController.signal;
  }

  announce(metadata: Readonly<Record<string, string>>): void {
    this.call.sendMetadata(metadataOf({ 'x-request-id': this.requestId, ...metadata }));
  }

  /** Aborts the signal of the context, because the caller no longer waits for the result. */
  abort(reason: unknown): void {
    clearTimeout(this.timer);
    this.controller ??= new AbortController();
    this.controller.abort(reason);
  }

  /** Asks a stream to end: by its `draining` if the handler has read that, else by aborting it. */
  drain(reason: unknown): void {
    if (this.drainController === undefined) this.abort(reason);
    else this.drainController.abort(reason);
  }

  /** Stops the deadline timer when the call has ended. */
  end(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private watch() {
    // grpc-js emits `cancelled` at a deadline only if the caller sent the deadline.
    this.call.once('cancelled', () => this.abort(new DOMException('The caller is gone.', 'AbortError')));
    if (!Number.isFinite(this.deadline)) return;
    const left = Math.min(Math.max(0, this.deadline - Date.now()), 2 ** 31 - 1);
    this.timer = setTimeout(() => this.abort(new DOMException('The deadline passed.', 'TimeoutError')), left);
  }
}

/** Whether a value is a valid request id: 1–128 characters of `[A-Za-z0-9._-]` (gateway/PROTOCOL.md#envelope). */
export function isRequestId(value: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(value);
}

/** Encodes an actor for metadata. Metadata allows only ASCII, so other characters are percent-encoded. */
export function encodeActor(actor: string): string {
  // The conversion to bytes replaces unpaired surrogates. encodeURIComponent throws on them.
  return encodeURIComponent(Buffer.from(actor.slice(0, maxActorLength)).toString());
}

const maxActorLength = 200;

/**
 * Checks that the actor is short and printable, since it is stored with every change and shown in tables.
 *
 * @throws KnowledgeError `validation_error` if `x-actor` is too long or has other characters.
 */
export function checkActor(metadata: Metadata): void {
  const sent = first(metadata, 'x-actor');
  if (sent === undefined || sent === '') return;
  const actor = decodeActor(sent);
  if (actor !== undefined && /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u.test(actor)) return;
  refuse(
    `The metadata x-actor must be 1 to ${maxActorLength} printable characters, percent-encoded where they are not ASCII`,
  );
}

function requestIdOf(metadata: Metadata) {
  const given = first(metadata, 'x-request-id');
  return given !== undefined && isRequestId(given) ? given : randomUUID();
}

function actorOf(sent: string | undefined, certified: string | undefined) {
  const claimed = sent === undefined ? undefined : decodeActor(sent);
  if (certified === undefined || certified === webDesk) return claimed;
  return claimed === undefined || claimed === certified ? certified : `${claimed} via ${certified}`;
}

function decodeActor(sent: string) {
  try {
    const actor = decodeURIComponent(sent);
    return actor === '' ? undefined : actor;
  } catch {
    return undefined;
  }
}

function first(metadata: Metadata, key: string) {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** @throws KnowledgeError `validation_error` when the call names no actor. */
export function requireActor({ actor }: Pick<HandlerContext, 'actor'>): string {
  if (actor === undefined) refuse('The metadata x-actor must name who makes the change');
  return actor;
}

/**
 * The actor, time and reason of a change.
 *
 * @throws KnowledgeError `validation_error` when the call names no actor, or has a wrong reason.
 */
export function requireAttribution(context: Pick<HandlerContext, 'actor' | 'now'>, reason?: string): Attribution {
  return auditAttribution({ actor: requireActor(context), now: context.now }, reason);
}

/** The same for a change that must say why: an empty reason is wrong too. */
export function requireExplained(context: Pick<HandlerContext, 'actor' | 'now'>, reason: string): Attribution {
  if (reason.trim() === '') refuse('reason is required');
  return requireAttribution(context, reason.trim());
}

/**
 * The actor, time and reason of a look at personal data. Without mutual TLS the call may name no actor.
 *
 * @throws KnowledgeError `validation_error` for a wrong reason.
 */
export function auditAttribution(
  { actor = 'unnamed', now }: Pick<HandlerContext, 'actor' | 'now'>,
  reason = '',
): Attribution {
  const { max } = bounds.reason;
  const isLong = codePoints(reason) > max;
  if (isLong || /[\p{Surrogate}\0]/u.test(reason)) {
    const bound = isLong ? `at most ${max} characters` : 'well-formed Unicode without NUL characters';
    refuse(`reason must be ${bound}`);
  }
  return { actor, at: now, reason };
}

/**
 * Makes metadata of the valid values and drops the others. gRPC allows only printable ASCII, and grpc-js would throw
 * for other values. In a batch one caller's invalid header would then fail the requests of all callers.
 */
export function metadataOf(values: Readonly<Record<string, string | undefined>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value)) metadata.set(name, value);
  }
  return metadata;
}
