import { errorCatalogue, hasCode, isErrorCode, type KnowledgeError } from '@knowledge/runtime';
import { failureBody } from '@knowledge/runtime/http';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tool } from '../protocol/mcp-tools.js';
import { submitContribution } from '../protocol/write-operations.js';
import { callContextOf } from '../upstream/call-context.js';
import { adviceOf } from './advice.js';
import { type RequestParts, requestParts } from './arguments.js';

/**
 * Sends a tool call as an HTTP request inside this process, with the caller's address, token and client id. Validation,
 * limits and responses are therefore those of the API. A failure becomes a result that says what the model can do.
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
    if (hasCode(error, 'validation_error')) return refused(error, tool);
    throw error;
  }
  const sent: Record<string, string> = { ...passedOn(caller), ...parts.headers };
  const { statusCode, headers, body } = await app.inject({
    method: tool.operation.method,
    url: targetOf(tool, parts, caller),
    headers: sent,
    remoteAddress: caller.raw.socket.remoteAddress ?? '0.0.0.0',
    ...(parts.body !== undefined && { payload: parts.body }),
  });
  if (statusCode >= 400) {
    const withToken = sent['authorization'] !== undefined;
    return failed(tool, { body, status: statusCode, retryAfter: headers['retry-after'], withToken });
  }
  const left = headers['x-ratelimit-remaining'];
  const quota = `${left} of ${headers['x-ratelimit-limit']} ${countedBy(tool)} of this UTC day are left.`;
  return {
    content: [text(body), ...(left === undefined ? [] : [text(quota)])],
    structuredContent: JSON.parse(body) as Record<string, unknown>,
  };
}

// Names the units that the response's X-RateLimit headers count.
function countedBy({ operation }: Tool): string {
  return operation.id === submitContribution.id ? 'contributions' : 'article reads';
}

function targetOf({ operation, presets = {} }: Tool, { path, query }: RequestParts, caller: FastifyRequest): string {
  const { site } = caller.query as { site?: string };
  for (const [name, value] of Object.entries(presets)) if (!query.has(name)) query.set(name, value);
  // If the arguments contain no site, the site in the URL of the MCP endpoint applies.
  if (site !== undefined && operation.query?.properties['site'] !== undefined && !query.has('site')) {
    query.set('site', site);
  }
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

// The headers that identify the caller. Others describe the JSON-RPC message, for example its length.
const forwardedHeaders = ['host', 'authorization', 'x-agent-client-id', 'x-forwarded-for'];

function passedOn(caller: FastifyRequest): Record<string, string> {
  const sent = forwardedHeaders.flatMap((name) => {
    const value = caller.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const { id, traceparent } = callContextOf(caller);
  return { ...Object.fromEntries(sent), 'x-request-id': id, ...(traceparent !== undefined && { traceparent }) };
}

function refused(error: KnowledgeError, tool: Tool): CallToolResult {
  return failed(tool, { body: failureBody(error), status: errorCatalogue[error.code].http });
}

interface Failure {
  readonly body: string;
  readonly status: number;
  readonly retryAfter?: unknown;
  readonly withToken?: boolean;
}

function failed(tool: Tool, { body, status, retryAfter, withToken = false }: Failure): CallToolResult {
  const { error } = JSON.parse(body) as { error: string };
  const advice = isErrorCode(error) ? adviceOf(error, tool, withToken) : undefined;
  const wait = typeof retryAfter === 'string' ? Number(retryAfter) : undefined;
  const hints = [
    ...(wait === undefined ? [] : [`Call it again in ${wait} s, at ${inSeconds(wait)}, not before.`]),
    ...(advice === undefined ? [] : [advice]),
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
