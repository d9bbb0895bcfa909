import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../api/gateway.js';
import type { Documents } from '../documents/documents.js';
import { countHeader } from '../http/bearer.js';
import { mcp } from '../protocol/service-words.js';
import { siteNames } from '../upstream/sites.js';
import { codes, refusal, refuse } from './refusal.js';

/**
 * Registers `/mcp`: streamable HTTP without sessions, with JSON responses and a new MCP server for each POST. A faulty
 * message gets a JSON-RPC error; a faulty HTTP request gets the usual envelope. The SDK needs 15 MB, so it is loaded for
 * the first message.
 */
export function registerMcp(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  let sdk: Promise<typeof import('./respond.js')> | undefined;
  const origins = new Set(siteNames.map((site) => new URL(sites.base(site)).origin));
  app.post<{ Querystring: { site?: unknown } }>(mcp.path, {
    config: {
      purpose:
        'This is the endpoint for MCP clients, by streamable HTTP without sessions; /api/agent is for all others. ',
    },
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { origin } = request.headers;
      // DNS rebinding: a page of a foreign name that leads here must not call this through its visitor's browser.
      if (origin !== undefined && !origins.has(origin) && origin.replace(/^https?:\/\//, '') === request.headers.host) {
        const fault = refusal(codes.invalidRequest, 'Pages of other names that lead here are not served.');
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
      if (hasCode(error, 'validation_error') && error.metadata?.['part'] === 'body')
        return refuse(reply, refusal(codes.invalidRequest, error.message));
      if (!hasCode(error, 'invalid_body')) throw error;
      return refuse(reply, refusal(codes.parseError, `Parse error: ${error.message}`));
    },
    handler: async (request, reply) => {
      sdk ??= import('./respond.js');
      const { respond } = await sdk;
      return respond(app, { documents, sites }, request, reply);
    },
  });
}
