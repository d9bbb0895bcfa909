import { type ErrorCode, errorCatalogue, hasCode, isErrorCode, type KnowledgeError } from '@knowledge/runtime';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failureBody } from '../envelope.js';
import { askerOf } from '../routes/operation-route.js';
import { type RequestParts, requestParts } from './arguments.js';
import type { Tool } from './tools.js';

/**
 * Calls a tool: its operation is dispatched through the same application, with the caller's own address, token, client id
 * and request id, so that validation, limits and answers are the API's. Its failures become results that tell the model
 * what to do.
 */
export async function callTool(
  app: FastifyInstance,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  caller: FastifyRequest,
): Promise<CallToolResult> {
  let parts: RequestParts;
  try {
    parts = requestParts(tool, given);
  } catch (error) {
    if (hasCode(error, 'validation_error')) return refused(error);
    throw error;
  }
  const { statusCode, headers, body } = await app.inject({
    method: tool.operation.method,
    url: targetOf(tool, parts, caller),
    headers: { ...passedOn(caller), ...parts.headers },
    remoteAddress: caller.raw.socket.remoteAddress ?? '0.0.0.0',
    ...(parts.body !== undefined && { payload: parts.body }),
  });
  if (statusCode >= 400) return failed(body, statusCode, headers['retry-after']);
  const left = headers['x-ratelimit-remaining'];
  const quota = `${left} of ${headers['x-ratelimit-limit']} article reads of this UTC day are left.`;
  return {
    content: [text(body), ...(left === undefined ? [] : [text(quota)])],
    structuredContent: JSON.parse(body) as Record<string, unknown>,
  };
}

function targetOf({ operation }: Tool, { path, query }: RequestParts, caller: FastifyRequest): string {
  const { site } = caller.query as { site?: string };
  // The site of the connection stands where the call names none, as the host does.
  if (site !== undefined && operation.query?.properties['site'] !== undefined && !query.has('site')) {
    query.set('site', site);
  }
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

// Who calls, and by which way; nothing that is about the JSON-RPC message itself.
const passed = ['host', 'authorization', 'x-agent-client-id', 'x-forwarded-for'];

function passedOn(caller: FastifyRequest): Record<string, string> {
  const sent = passed.flatMap((name) => {
    const value = caller.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const { id, traceparent } = askerOf(caller);
  return { ...Object.fromEntries(sent), 'x-request-id': id, ...(traceparent !== undefined && { traceparent }) };
}

function refused({ code, message }: KnowledgeError): CallToolResult {
  return failed(failureBody(code, message), errorCatalogue[code].http, undefined);
}

function failed(body: string, status: number, retryAfter: unknown): CallToolResult {
  const { error } = JSON.parse(body) as { error: string };
  const wait = typeof retryAfter === 'string' ? Number(retryAfter) : undefined;
  const hints = [
    ...(wait === undefined ? [] : [`Call it again in ${wait} s, at ${inSeconds(wait)}, not before.`]),
    ...(isErrorCode(error) && advice[error] !== undefined ? [advice[error]] : []),
  ];
  return {
    isError: true,
    content: [text(body), ...(hints.length > 0 ? [text(hints.join(' '))] : [])],
    _meta: { status, ...(wait !== undefined && { retry_after_seconds: wait }) },
  };
}

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

function text(body: string): { type: 'text'; text: string } {
  return { type: 'text', text: body };
}

const getToken =
  'With the consent of your human call request_authorization, then pick_up_token; send the token as the Authorization header of this connection, or as write_token.';

// What the message of the API says in terms of HTTP, in terms of tools.
const advice: Partial<Record<ErrorCode, string>> = {
  missing_token: getToken,
  invalid_token: `The token that you sent is no good; leave it out to read without one. ${getToken}`,
  insufficient_scope: 'Call request_authorization again with the scope that this needs.',
  read_quota_exceeded:
    'Until then work with what you have: search_articles, list_highlights, list_objects and read_object cost nothing. A token reads 10 a day: request_authorization, with scopes [] if it shall only read.',
  not_found: 'search_articles and list_objects tell what there is; a contribution is an object once it is published.',
  no_active_prompt: 'Tell your human; submit_story takes what needs no prompt.',
  authorization_denied: 'Your human said no: do not ask again unless they want you to.',
  invalid_state: 'read_contribution tells its state now.',
};
