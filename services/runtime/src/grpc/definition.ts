import type { MethodDefinition } from '@grpc/grpc-js';
import { methods } from '@knowledge/proto/methods';

/** A service definition that ts-proto generated for grpc-js. */
export type Definition = Readonly<Record<string, Method>>;

/** One method of a definition, with any message types. */
export type Method = Pick<MethodDefinition<never, unknown>, 'path' | 'requestStream' | 'responseStream'> & {
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
};

/** The request message of a method. */
export type Request<M extends Method> = ReturnType<M['requestDeserialize']>;

/** The response message of a method. */
export type Response<M extends Method> = ReturnType<M['responseDeserialize']>;

/** The full name of the service, e.g. `knowledge.content.v1.ContentService`. */
export function serviceName(definition: Definition): string {
  const [method] = Object.values(definition);
  if (method === undefined) throw new TypeError('A service without methods has no name.');
  return method.path.slice(1, method.path.lastIndexOf('/'));
}

/** Every method of every proto, as `package.Service/Method`. */
export function protoMethods(): string[] {
  return [...methods.keys()];
}

/** The proto names of the idempotent methods of a service. */
export function idempotentMethods(service: string): string[] {
  const ofService = [...methods].filter(([name, idempotent]) => idempotent && name.startsWith(`${service}/`));
  return ofService.map(([name]) => name.slice(service.length + 1));
}
