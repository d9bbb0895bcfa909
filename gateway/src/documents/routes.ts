import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../api/gateway.js';
import { linkToApi, registerOperation } from '../api/operation-route.js';
import { withIgnored } from '../api/send-listing.js';
import { ignoredParameters } from '../api/unknown-names.js';
import { cacheControl, sendPublic, sendRead } from '../http/send-read.js';
import { readCapabilities, readChangelog, readOpenApi } from '../protocol/document-operations.js';
import type { Documents } from './documents.js';

/** Registers capabilities, changelog and OpenAPI. They need no service behind the gateway. */
export function registerDocumentRoutes(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  for (const [operation, name] of [
    [readCapabilities, 'capabilities'],
    [readChangelog, 'changelog'],
    [readOpenApi, 'openApi'],
  ] as const) {
    registerOperation(
      app,
      operation,
      async (request, reply) => {
        // The changelog is the same for both sites and ignores query parameters.
        const query = 'query' in operation ? request.query : {};
        const site = sites.of(query, request.headers.host);
        const document = documents.get(name, site);
        const ignored = name === 'changelog' ? ignoredParameters(request) : undefined;
        if (ignored !== undefined)
          return sendRead(request, reply, withIgnored(document, ignored), cacheControl.listing);
        return sendPublic(request, reply, document, cacheControl.listing);
      },
      { onRequest: linkToApi(sites) },
    );
  }
}
