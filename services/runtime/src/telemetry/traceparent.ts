import { randomFillSync } from 'node:crypto';

/** A trace context as it travels (W3C Trace Context, version 00), `tracestate` aside. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly sampled: boolean;
}

/** Reads a `traceparent`; undefined if there is none or it is malformed, which then counts as none (W3C section 4.3). */
export function parseTraceparent(value: string | undefined): TraceContext | undefined {
  const match = value === undefined || value.length > maxLength ? null : pattern.exec(value);
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/**
 * The `traceparent` to send on for one that a caller sent: written anew from what was read, so that no other byte of the
 * caller travels. Undefined if there is none or it is malformed.
 */
export function renewTraceparent(sent: string | undefined): string | undefined {
  const context = parseTraceparent(sent);
  return context && formatTraceparent(context);
}

/** The beginning of a trace that nobody records, so that the lines of all logs about one request still share an id. */
export function unrecordedTraceparent(): string {
  if (at === digits.length) {
    digits = randomFillSync(random).toString('hex');
    at = 0;
  }
  const traceId = digits.slice(at, at + 32);
  const spanId = digits.slice(at + 32, at + 48);
  at += 48;
  return `00-${traceId}-${spanId}-00`;
}

/** The context, written anew, if its trace is recorded: only then is it worth keeping. */
export function recordedTrace(traceparent: string | undefined): string | undefined {
  const context = parseTraceparent(traceparent);
  return context?.sampled ? formatTraceparent(context) : undefined;
}

/** The trace id in a well-formed `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

const maxLength = 512;
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;

// Every request takes some: random digits are made many at a time.
const random = Buffer.alloc(24 * 256);
let digits = '';
let at = 0;
