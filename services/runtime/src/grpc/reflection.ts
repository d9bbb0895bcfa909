import { type MethodDefinition, type Server, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { type CheckAccess, reflectionMethods } from './access.js';
import type { loadReflection } from './load-reflection.js';
import { toServiceError } from './status.js';

/**
 * Adds server reflection (v1 and v1alpha) for the given services. Its descriptors need some 10 MB, so they are loaded
 * at the first call: most processes never get one.
 */
export function addReflection(
  server: Pick<Server, 'addService'>,
  services: readonly string[],
  admit: CheckAccess | undefined,
): void {
  const names = [...services, 'grpc.health.v1.Health'];
  let loading: Promise<ReturnType<typeof loadReflection>> | undefined;
  const load = () => {
    loading ??= import('./load-reflection.js').then((module) => module.loadReflection(names));
    return loading;
  };
  const respond = async (call: Call, path: string) => {
    admit?.(call, path);
    const method = (await load()).get(path);
    if (method === undefined) throw new TypeError(`The library of reflection lacks ${path}.`);
    method.answer({
      on: (event, listener) =>
        call.on(event, event === 'data' ? (bytes) => parsed(call, method, bytes, listener) : listener),
      write: (response) => call.write(method.responseSerialize(response)),
      end: () => call.end(),
    });
  };
  for (const name of reflectionMethods) {
    const path = `/${name}`;
    const handler = (call: Call) => {
      respond(call, path).catch((error: unknown) => call.emit('error', toServiceError(error, '')));
    };
    server.addService({ ServerReflectionInfo: { path, ...asBytes } }, { ServerReflectionInfo: handler });
  }
}

type Call = ServerDuplexStream<Buffer, Buffer>;

// As grpc-js does for a request that it cannot parse.
function parsed(
  call: Call,
  { requestDeserialize }: { requestDeserialize(bytes: Buffer): unknown },
  bytes: Buffer,
  listener: (request: unknown) => void,
) {
  let request: unknown;
  try {
    request = requestDeserialize(bytes);
  } catch {
    call.emit('error', { code: status.INTERNAL, details: 'The request cannot be parsed.' });
    return;
  }
  listener(request);
}

const unchanged = (bytes: Buffer) => bytes;

/** The messages are bytes here, because their definitions are loaded later. */
const asBytes: Omit<MethodDefinition<Buffer, Buffer>, 'path'> = {
  requestStream: true,
  responseStream: true,
  requestSerialize: unchanged,
  requestDeserialize: unchanged,
  responseSerialize: unchanged,
  responseDeserialize: unchanged,
};
