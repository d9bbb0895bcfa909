import { KnowledgeError } from '@knowledge/runtime';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../context.js';
import type { Documents } from '../documents/documents.js';
import { countHeader } from '../identity/bearer.js';
import { limits } from '../protocol/limits.js';
import { mcp } from '../protocol/mcp.js';
import { siteNames } from '../sites.js';
import { createMcpServer } from './server.js';

/**
 * `/mcp`: streamable HTTP without sessions, a server of its own for each POST and answers as JSON. What is wrong with the
 * message is a JSON-RPC error; what is wrong with HTTP is in the envelope, as everywhere.
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
      // A page elsewhere must not speak through a visitor's browser (MCP, transports, DNS rebinding).
      if (origin !== undefined && !origins.has(origin)) {
        return refuse(reply, 403, ErrorCode.InvalidRequest, 'Pages of other origins are not served.');
      }
      for (const name of ['authorization', 'x-agent-client-id']) {
        if (countHeader(request.raw.rawHeaders, name) > 1) {
          throw new KnowledgeError('bad_request', `Send one ${name} header.`);
        }
      }
      return undefined;
    },
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const fault = batchFault(request.body);
      if (fault !== undefined) return refuse(reply, 400, ErrorCode.InvalidRequest, fault);
      const server = createMcpServer(app, { documents, sites }, request, site);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      try {
        await server.connect(transport);
        const response = await transport.handleRequest(webRequest(request), { parsedBody: request.body });
        reply.code(response.status);
        const type = response.headers.get('content-type');
        if (type !== null) reply.header('content-type', type);
        return reply.send(Buffer.from(await response.arrayBuffer()));
      } finally {
        await server.close();
      }
    },
  });
}

function batchFault(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length === 0 || body.length > limits.batchMessages) {
    return `A batch has 1 to ${limits.batchMessages} messages.`;
  }
  // What is cancelled is never answered, and then the whole batch would not be.
  const cancels = body.some((message: { method?: unknown } | null) => message?.method === 'notifications/cancelled');
  return cancels ? 'A batch must not cancel anything.' : undefined;
}

// What of the request the transport judges; the body is parsed already.
function webRequest({ headers }: FastifyRequest): Request {
  const judged = ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Request(`http://gateway${mcp.path}`, { method: 'POST', headers: judged });
}

function refuse(reply: FastifyReply, status: number, code: ErrorCode, message: string): FastifyReply {
  return reply.code(status).send({ jsonrpc: '2.0', error: { code, message }, id: null });
}
