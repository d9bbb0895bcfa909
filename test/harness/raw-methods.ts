import { methods } from '@knowledge/proto/methods';
import { type CallOptions, type ClientMethod, connectGrpc, type Tls } from '@knowledge/runtime/grpc';
import type { ServiceName } from './system.js';

/**
 * Calls every method of a service with an empty message. Returns those that it serves and the caller may call, as
 * `Service/Method`.
 */
export async function admittedMethods(
  name: ServiceName,
  address: string,
  tls: Tls,
  person: Pick<CallOptions, 'actor' | 'roles'> = {},
): Promise<string[]> {
  const packages = name === 'identity' || name === 'contributions' ? [name, 'mail'] : [name];
  const isServed = (method: string) => packages.some((each) => method.startsWith(`knowledge.${each}.`));
  const paths = [...methods.keys()].filter(isServed).map((method) => `/${method}`);
  const client = connectGrpc(Object.fromEntries(paths.map((path) => [path, rawMethod(path)])), { address, tls });
  try {
    const admitted = await Promise.all(paths.map((path) => isAdmitted(path, client[path], person)));
    return paths.filter((_path, at) => admitted[at]).map((path) => path.replace(/^.*\.(?=\w+\/)/, ''));
  } finally {
    client.close();
  }
}

const raw = (bytes: Buffer): Buffer => bytes;

// On the wire every method has streams, so one kind of call works for all methods.
function rawMethod(path: string) {
  const coding = { requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw };
  return { path, requestStream: true, responseStream: true, ...coding } as const;
}

function isAdmitted(
  path: string,
  method: ClientMethod<ReturnType<typeof rawMethod>> | undefined,
  person: Pick<CallOptions, 'actor' | 'roles'>,
): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const stream = method?.({ requestId: 'probe', deadline: Date.now() + 20_000, ...person });
    stream?.on('error', () => undefined);
    // A watch does not end by itself, so its metadata is enough.
    stream?.on('metadata', () => stream.cancel());
    stream?.on('status', ({ code, details }) => {
      if (code === unavailableCode || code === deadlineCode) reject(new Error(`${path}: ${details}`));
      else resolve(code !== unimplementedCode && !/ may not call | only for a person: /.test(details));
    });
    stream?.end(Buffer.alloc(0));
  });
}

const deadlineCode = 4;
const unimplementedCode = 12;
const unavailableCode = 14;
