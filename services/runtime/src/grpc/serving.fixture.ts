import { createLogger, type Logger } from '../log/logger.js';
import { type ConnectOptions, connectGrpc, type GrpcClient } from './connect.js';
import type { HandlerContext } from './context.js';
import { type Handlers, implement } from './implement.js';
import { type GrpcServer, type ServeOptions, serveGrpc } from './serve.js';

const open: (() => unknown)[] = [];

/** Closes everything that the fixtures opened during one test. */
export async function closeFixtures(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close();
}

/** Registers a function that `closeFixtures` calls at the end of the test. */
export function later(close: () => unknown): void {
  open.push(close);
}

/** Makes a log and collects its lines. */
export function recordingLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: createLogger({ name: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } }),
  };
}

/** Starts a server on loopback. */
export async function serve(options: Partial<ServeOptions> = {}): Promise<GrpcServer> {
  const { log } = recordingLog();
  const server = await serveGrpc({
    address: '127.0.0.1:0',
    services: [],
    health: [],
    log,
    closeLimitSeconds: 1,
    ...options,
  });
  later(() => server.close());
  return server;
}

/** The echo service, in which a test may replace single methods. */
export function echoService(handlers: Partial<Handlers<typeof EchoService>> = {}) {
  return implement(EchoService, {
    echo: async (request) => request,
    repeat: async (request, _context, emit) => {
      for (let at = 0; at < 3; at++) await emit({ text: `${request.text}${at}` });
    },
    check: async (request) => request,
    chat: async (requests, _context, emit) => {
      for await (const { text } of requests) await emit({ text: text.toUpperCase() });
    },
    ...handlers,
  });
}

/** An echo that first shows its context to the test. */
export function seeing(see: (context: HandlerContext) => void): Handlers<typeof EchoService>['echo'] {
  return async (request, context) => {
    see(context);
    return request;
  };
}

export function echoClient(address: string, options: Partial<ConnectOptions> = {}): GrpcClient<typeof EchoService> {
  const client = connectGrpc(EchoService, { address, ...options });
  later(() => client.close());
  return client;
}

/** Returns the texts of all messages of a stream. */
export async function read(stream: AsyncIterable<Note>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of stream) texts.push(text);
  return texts;
}

export const call = { requestId: 'test-1' };

/** Request and response of the echo service. */
export interface Note {
  text: string;
}

export type Emit = (message: Note) => Promise<void>;

/** A client of an echo service, in which a test may replace single methods. */
export async function echoing(
  handlers: Partial<Handlers<typeof EchoService>> = {},
  options: Partial<ServeOptions> = {},
  toward: Partial<ConnectOptions> = {},
) {
  const { address } = await serve({ services: [echoService(handlers)], ...options });
  return echoClient(address, toward);
}

const json = {
  requestSerialize: (value: Note): Buffer => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer) => JSON.parse(bytesOf(bytes).toString()) as Note,
  responseSerialize: (value: Note): Buffer => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as Note,
};

// Accepts bytes, or the reader that the server passes. Generated code accepts both too.
function bytesOf(input: Buffer | { buf: Uint8Array }): Buffer {
  return Buffer.from('buf' in input ? input.buf : input);
}

/** A test service with methods of each kind, in the form that ts-proto generates. */
export const EchoService = {
  echo: { path: '/test.v1.EchoService/Echo', requestStream: false, responseStream: false, ...json },
  repeat: { path: '/test.v1.EchoService/Repeat', requestStream: false, responseStream: true, ...json },
  check: { path: '/test.v1.EchoService/Check', requestStream: false, responseStream: false, ...json },
  chat: { path: '/test.v1.EchoService/Chat', requestStream: true, responseStream: true, ...json },
} as const;
