import { errorCatalogue, hasCode, isErrorCode, type KnowledgeError } from '@knowledge/runtime';
import { failureBody } from '@knowledge/runtime/http';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Tool, toolDefaults } from '../protocol/mcp-tools.js';
import type { Operation } from '../protocol/operation.js';
import { submitContribution } from '../protocol/submissions.js';
import { callContextOf } from '../upstream/calls.js';
import { siteNames } from '../upstream/sites.js';
import { adviceOf } from './advice.js';
import { argumentNames, ignoredWords, type RequestParts, requestParts } from './arguments.js';
import { askWithin, cutToBound, simpleForm } from './bounded.js';

/**
 * Sends a tool call as an HTTP request inside this process, with the caller's address, token and client id. Validation,
 * limits and responses are therefore those of the API. A failure becomes a result that says what the model can do.
 * `simple` asks for the form of clients that know only `search` and `fetch`.
 */
export async function callTool(
  app: FastifyInstance,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  caller: FastifyRequest,
  simple?: 'search' | 'fetch',
): Promise<CallToolResult> {
  let parts: RequestParts;
  try {
    parts = requestParts(tool, given);
  } catch (error) {
    if (hasCode(error, 'validation_error')) return refused(error, tool);
    throw error;
  }
  const sent: Record<string, string> = { ...passedOn(caller), ...parts.headers };
  const ask = (of: RequestParts, method: 'HEAD' | Operation['method'] = tool.operation.method) =>
    app.inject({
      method,
      url: targetOf(tool, of, caller),
      headers: sent,
      remoteAddress: caller.raw.socket.remoteAddress ?? '0.0.0.0',
      ...(of.body !== undefined && { payload: of.body }),
    });
  const within = (of: RequestParts) => askWithin(tool, of, ask);
  let response = await within(parts);
  if (response.statusCode === 404) response = (await onOtherSite(tool, parts, caller, within)) ?? response;
  const { statusCode, headers } = response;
  const cut = cutToBound(response.body);
  const body = cut ?? response.body;
  const unused = ignoredWords(tool, parts.ignored);
  const note = unused === undefined ? [] : [text(unused)];
  if (statusCode >= 400) {
    const withToken = sent['authorization'] !== undefined;
    const told = inTermsOfArguments(body, parts.headers);
    const failure = failed(tool, { body: told, status: statusCode, retryAfter: headers['retry-after'], withToken });
    return { ...failure, content: [...failure.content, ...note] };
  }
  const left = headers['x-ratelimit-remaining'];
  const quota = `${left} of ${headers['x-ratelimit-limit']} ${countedBy(tool)} of this UTC day are left.`;
  const structuredContent = JSON.parse(body) as Record<string, unknown>;
  // These clients read one text.
  if (simple !== undefined) return { content: [text(simpleForm(simple, structuredContent))], structuredContent };
  const more = [left === undefined ? undefined : quota, cut === undefined ? undefined : cutWords(tool)];
  return {
    content: [text(body), ...more.flatMap((words) => (words === undefined ? [] : [text(words)])), ...note],
    structuredContent,
  };
}

function cutWords({ operation }: Tool) {
  return `The answer was too long for a tool: texts in it that end in … are cut. ${operation.method} ${operation.path} of the HTTP API has all of it.`;
}

// A model often does not know the site of a text. What is not found costs nothing.
async function onOtherSite<T extends { readonly statusCode: number }>(
  tool: Tool,
  parts: RequestParts,
  caller: FastifyRequest,
  ask: (of: RequestParts) => Promise<T>,
) {
  if (parts.path['slug'] === undefined) return undefined;
  const asked = new URL(targetOf(tool, parts, caller), 'http://gateway').searchParams.get('site');
  for (const site of siteNames.filter((each) => each !== asked)) {
    const query = new URLSearchParams(parts.query);
    query.set('site', site);
    const response = await ask({ ...parts, query });
    if (response.statusCode !== 404) return response;
  }
  return undefined;
}

// The API names the header, which the model knows as an argument.
function inTermsOfArguments(body: string, headers: RequestParts['headers']) {
  return body.replace(/"message":"(X-Agent-Client-Id|Idempotency-Key):/, (all, header: string) => {
    const name = header.toLowerCase();
    return headers[name] === undefined ? all : `"message":"${argumentNames[name]}:`;
  });
}

// Names the units that the response's X-RateLimit headers count.
function countedBy({ operation }: Tool): string {
  return operation.id === submitContribution.id ? 'contributions' : 'article reads';
}

function targetOf({ operation }: Tool, { path, query }: RequestParts, caller: FastifyRequest) {
  const { site } = caller.query as { site?: string };
  // If the arguments contain no site, the site in the URL of the MCP endpoint applies.
  const defaults = { ...toolDefaults, ...(site !== undefined && { site }) };
  for (const [name, value] of Object.entries(defaults)) {
    if (operation.query?.properties[name] !== undefined && !query.has(name)) query.set(name, value);
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

function inSeconds(seconds: number) {
  return new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

function text(body: string): { type: 'text'; text: string } {
  return { type: 'text', text: body };
}
