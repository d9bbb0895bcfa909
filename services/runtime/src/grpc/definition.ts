import type { MethodDefinition } from '@grpc/grpc-js';

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
