import { hasCode, KnowledgeError } from '@knowledge/runtime';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../api/gateway.js';
import type { Documents } from '../documents/documents.js';
import { countHeader } from '../http/bearer.js';
import { mcp } from '../protocol/mcp.js';
import { siteNames } from '../upstream/sites.js';
import { batchFault, messageFault, type Refusal, refusal, withoutNullArguments } from './messages.js';
import { createMcpServer } from './server.js';

/**
 * Registers `/mcp`: streamable HTTP without sessions, with JSON responses and a new MCP server for each POST. A faulty
 * message gets a JSON-RPC error; a faulty HTTP request gets the usual envelope.
 */
export function registerMcp(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const origins = new Set(siteNames.map((site) => new URL(sites.base(site)).origin));
  app.post<{ Querystring: { site?: unknown } }>(mcp.path, {
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { origin } = request.headers;
      // Protects against DNS rebinding: a page of another origin must not call this through a visitor's browser.
      if (origin !== undefined && !origins.has(origin)) {
        const fault = refusal(ErrorCode.InvalidRequest, 'Pages of other origins are not served.');
        return reply.code(403).send(fault);
      }
      for (const name of ['authorization', 'x-agent-client-id']) {
        if (countHeader(request.raw.rawHeaders, name) > 1) {
          throw new KnowledgeError('bad_request', `Send one ${name} header.`);
        }
      }
      return undefined;
    },
    errorHandler: (error, _request, reply) => {
      if (!hasCode(error, 'invalid_body')) throw error;
      return refuse(reply, refusal(ErrorCode.ParseError, `Parse error: ${error.message}`));
    },
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const batch = Array.isArray(request.body);
      const unfit = batchFault(request.body);
      if (unfit !== undefined) return refuse(reply, unfit);
      const messages = [request.body].flat().map(withoutNullArguments);
      const faults = messages.map(messageFault);
      const refused = faults.filter((fault) => fault !== undefined);
      if (!batch && refused[0] !== undefined) return refuse(reply, refused[0]);
      const served = messages.filter((_, at) => faults[at] === undefined);
      if (served.length === 0) return reply.send(refused);
      const server = createMcpServer(app, { documents, sites }, request, site);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      try {
        await server.connect(transport);
        const parsedBody = batch ? served : served[0];
        const response = await transport.handleRequest(webRequest(request), { parsedBody });
        const text = await response.text();
        if (response.ok && batch) {
          // The transport returns an object for a batch of one request, and an empty text for notifications.
          const responses = [...refused, ...[text === '' ? [] : JSON.parse(text)].flat()];
          if (responses.length > 0) return reply.send(responses);
        }
        reply.code(response.status);
        const type = response.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        return reply.send(text);
      } finally {
        await server.close();
      }
    },
  });
}

// Makes a request with the headers that the transport checks. Its body is parsed already.
function webRequest({ headers }: FastifyRequest): Request {
  const checked = ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://gateway${mcp.path}`, { method: 'POST', headers: checked });
}

// A message with an id but wrong params gets HTTP status 200; every other fault gets 400.
function refuse(reply: FastifyReply, fault: Refusal): FastifyReply {
  const isErrorResponse = fault.error.code === ErrorCode.InvalidParams && fault.id !== null;
  return reply.code(isErrorResponse ? 200 : 400).send(fault);
}
