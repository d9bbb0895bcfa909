import {
  type CallOptions,
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import { reflect } from './grpc-reflection.js';
import { seeded, wildRequests } from './grpc-wild-values.js';

type Method = MethodDefinition<object, object>;

/** A call whose response is always a defect. */
export interface FuzzFinding {
  readonly method: string;
  readonly seed: number;
  readonly code: string;
  readonly details: string;
  readonly request: string;
}

export interface FuzzOptions {
  readonly seed: number;
  /** The number of requests for each method. */
  readonly runs: number;
}

/** Calls every method of a server with wild values. Returns the responses that are defects, and the number of calls. */
export async function fuzz(
  address: string,
  { seed, runs }: FuzzOptions,
): Promise<{ calls: number; findings: FuzzFinding[] }> {
  const { services, definition } = await reflect(address);
  const client = new Client(address, credentials.createInsecure());
  const findings: FuzzFinding[] = [];
  let calls = 0;
  for (const service of services) {
    for (const method of Object.values(definition[service] as unknown as Record<string, Method>)) {
      for (let run = 0; run < runs; run++) {
        const own = seed * 1_000_003 + run;
        const wild = wildRequests(definition, seeded(own));
        const type = typeOf(method, definition);
        const request = wild.message(type);
        const broken = run % 10 === 9 ? wild.brokenText(type) : Buffer.alloc(0);
        const { code, details } = await call(client, method, request, broken);
        calls++;
        if (isFault(code, method)) {
          const called = { method: method.path, seed: own, request: JSON.stringify(request).slice(0, 1500) };
          findings.push({ ...called, code: status[code] ?? String(code), details });
        }
      }
    }
  }
  client.close();
  return { calls, findings };
}

// A stream may end as UNAVAILABLE at its deadline, so only for a unary call this is a defect.
function isFault(code: number, { responseStream }: Method): boolean {
  return faults.has(code) || (code === status.UNAVAILABLE && !responseStream);
}

const faults: ReadonlySet<number> = new Set([status.INTERNAL, status.UNKNOWN, status.DATA_LOSS]);

// The descriptor of a request has no package in its name, so this adds the package of the method.
function typeOf(method: Method, definition: object): string {
  const { name } = method.requestType.type as { name: string };
  const prefix = method.path.slice(1).replace(/\.[^.]+$/, '');
  const full = `${prefix}.${name}`;
  if (!(full in definition)) throw new Error(`There is no ${full}.`);
  return full;
}

interface Ended {
  readonly code: number;
  readonly details: string;
}

async function call(client: Client, method: Method, request: object, broken: Buffer): Promise<Ended> {
  const serialize = (value: object): Buffer => Buffer.concat([method.requestSerialize(value), broken]);
  const metadata = new Metadata();
  metadata.set('x-actor', 'fuzz');
  const streams = method.requestStream || method.responseStream;
  const options: CallOptions = { deadline: Date.now() + (streams ? 60 : 10_000) };
  if (!streams) {
    return new Promise((resolve) => {
      client.makeUnaryRequest(
        method.path,
        serialize,
        method.responseDeserialize,
        request,
        metadata,
        options,
        (error, answer) => resolve(error ? ended(error) : itemFault(answer as object)),
      );
    });
  }
  const stream = method.requestStream
    ? client.makeBidiStreamRequest(method.path, serialize, method.responseDeserialize, metadata, options)
    : client.makeServerStreamRequest(method.path, serialize, method.responseDeserialize, request, metadata, options);
  return new Promise((resolve) => {
    stream.on('data', () => undefined);
    stream.on('error', (error: ServiceError) => resolve(ended(error)));
    stream.on('end', () => resolve({ code: 0, details: '' }));
    if (method.requestStream) {
      const writing = stream as ClientDuplexStream<object, object>;
      writing.write(request);
      writing.end(request);
    }
  });
}

function ended({ code, details }: ServiceError): Ended {
  return { code, details };
}

/** The error of an item in the response to a batch, if there is one. */
function itemFault(answer: object): Ended {
  const { results } = answer as { results?: { error?: { code: number; message: string } }[] };
  const fault = results?.find(({ error }) => error != null && error.code === status.INTERNAL)?.error;
  return fault == null ? { code: 0, details: '' } : { code: fault.code, details: fault.message };
}
