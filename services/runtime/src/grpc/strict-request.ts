import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Definition, Method } from './definition.js';

/** Stands for a request whose bytes are well-formed and whose values no method takes; the call is refused with its error. */
class RefusedRequest {
  constructor(readonly error: KnowledgeError) {}
}

/**
 * The definition with requests read strictly: text that is not UTF-8, numbers beyond 2^53 - 1 and times beyond the years 1 to
 * 9999 become a `RefusedRequest`. Broken bytes stay what grpc-js makes of them, INTERNAL.
 */
export function strictDefinition(definition: Definition): ServiceDefinition {
  const methods = Object.entries(definition).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: strictly(method) },
  ]);
  return Object.fromEntries(methods) as ServiceDefinition;
}

/** @throws the error of a request that is refused. */
export function accepted(request: unknown): unknown {
  if (request instanceof RefusedRequest) throw request.error;
  return request;
}

function strictly(method: Method): (bytes: Buffer) => unknown {
  return (bytes) => {
    try {
      // What ts-proto generates reads from any reader that it is given.
      const request = method.requestDeserialize(new BinaryReader(bytes, decodeStrictly) as unknown as Buffer);
      checkTimes(request, '');
      return request;
    } catch (error) {
      if (error instanceof KnowledgeError) return new RefusedRequest(error);
      if (isBeyondSafe(error)) return new RefusedRequest(beyondSafe());
      throw error;
    }
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeStrictly(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new KnowledgeError('validation_error', 'The request has a text that is not valid UTF-8.');
  }
}

// The words of the generated code.
function isBeyondSafe(error: unknown): boolean {
  return error instanceof Error && /\bNumber\.M(?:AX|IN)_SAFE_INTEGER$/.test(error.message);
}

function beyondSafe(): KnowledgeError {
  return new KnowledgeError(
    'validation_error',
    'The request has a number beyond 2^53 - 1; no time, revision or position is so large.',
  );
}

const firstTime = -62_135_596_800_000;
const lastTime = 253_402_300_799_999;

// Requests hold times in their own fields and in those of their parts, never in lists.
function checkTimes(part: unknown, prefix: string): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (value instanceof Date) checkTime(value, `${prefix}${snakeCase(name)}`);
    else if (prefix === '' && isPart(value)) checkTimes(value, `${snakeCase(name)}.`);
  }
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function checkTime(time: Date, field: string): void {
  const at = time.getTime();
  if (at >= firstTime && at <= lastTime) return;
  throw new KnowledgeError('validation_error', `${field} must be a time of the years 1 to 9999.`);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
