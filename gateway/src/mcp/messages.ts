import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResponseSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { limits } from '../protocol/limits.js';
import { codes, type Refusal, refusal } from './refusal.js';

/**
 * Makes the refusal of a message; undefined for a correct one. The code is -32600 if the message is not JSON-RPC 2.0, and
 * -32602 if its params are wrong for its method.
 */
export function messageFault(message: unknown): Refusal | undefined {
  const { id } = (message ?? {}) as { id?: unknown };
  const readable = RequestIdSchema.safeParse(id).data ?? null;
  if (isCrowded(message)) return refusal(codes.invalidRequest, tooManyMembers, readable);
  const shape = isRecord(message) && 'method' in message ? methodShape(message) : JSONRPCResponseSchema;
  const paths = faultsOf(shape, message);
  if (paths.some(([first]) => first !== 'params')) return refusal(codes.invalidRequest, notAMessage, readable);
  const { method } = message as { method?: unknown };
  const call =
    typeof method === 'string' && Object.hasOwn(calls, method) ? calls[method as keyof typeof calls] : undefined;
  const [wrong] = paths.length > 0 || call === undefined || id === undefined ? paths : faultsOf(call.schema, message);
  if (wrong === undefined) return undefined;
  const takes = call === undefined ? 'params must be an object.' : `${method} takes ${call.takes}.`;
  const where = wrong
    .join('.')
    .slice(0, 100)
    .replace(/[^\x20-\x7e]/g, '?');
  return refusal(codes.invalidParams, `${where} is missing or wrong: ${takes}`, readable);
}

/** Makes the refusal of a batch. Returns undefined for a correct batch, and for a body that is not a batch. */
export function batchFault(body: unknown): Refusal | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length === 0 || body.length > limits.batchMessages) {
    return refusal(codes.invalidRequest, `A batch has 1 to ${limits.batchMessages} messages.`);
  }
  const ids = body.flatMap((message: { id?: unknown } | null) => message?.id ?? []);
  // The transport confuses two requests with the same id, and would wait for ever for the second response.
  if (new Set(ids).size < ids.length) return refusal(codes.invalidRequest, 'A batch must not use an id twice.');
  // A cancelled request gets no response, and the transport would wait for it for ever.
  const cancels = body.some((message: { method?: unknown } | null) => message?.method === 'notifications/cancelled');
  return cancels ? refusal(codes.invalidRequest, 'A batch must not contain a cancellation.') : undefined;
}

/** Whether this server has the method of a message. */
export function isKnownMethod(message: unknown): boolean {
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
  return id === undefined || method === 'ping' || Object.hasOwn(calls, String(method));
}

/** Removes `params: null`, and `null` for a member of params. Some clients send it for what they leave out. */
export function withoutNulls(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isRecord(params) || !Object.values(params).includes(null)) return message;
  return { ...message, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) };
}

const notAMessage =
  'Invalid Request: a message is an object with jsonrpc "2.0", a method, and, to be answered, an id that is a text or an integer.';

/** The largest number of members in all objects of a message together, so that its validation costs little. */
const maxMembers = 500;
const tooManyMembers = `Invalid Request: the objects of a message have at most ${maxMembers} members together.`;

// Whether a message has too many members. A loop is safe here: recursion would overflow on deep nesting.
function isCrowded(message: unknown) {
  const left: unknown[] = [message];
  for (let members = 0; left.length > 0; ) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inside = Object.values(value);
    if (!Array.isArray(value)) members += inside.length;
    if (members > maxMembers) return true;
    for (const each of inside) if (typeof each === 'object') left.push(each);
  }
  return false;
}

const list = 'nothing, or a cursor (a text)';
const calls = {
  initialize: {
    schema: InitializeRequestSchema,
    takes: 'protocolVersion (a text), capabilities (an object) and clientInfo (an object with name and version)',
  },
  'tools/call': {
    schema: CallToolRequestSchema,
    takes: 'name (a tool of tools/list) and arguments (an object; may be left out)',
  },
  'resources/read': { schema: ReadResourceRequestSchema, takes: 'uri (one of resources/list)' },
  'tools/list': { schema: ListToolsRequestSchema, takes: list },
  'resources/list': { schema: ListResourcesRequestSchema, takes: list },
  'resources/templates/list': { schema: ListResourceTemplatesRequestSchema, takes: list },
} as const;

interface Shape {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } | undefined };
}

function methodShape(message: object): Shape {
  return 'id' in message ? JSONRPCRequestSchema : JSONRPCNotificationSchema;
}

function faultsOf(shape: Shape, message: unknown) {
  return shape.safeParse(message).error?.issues.map(({ path }) => path) ?? [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
