import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import type { DocumentName, Documents } from '../../documents/documents.js';
import { cacheControl } from '../../http/send-read.js';
import { readAgentEntry, readCapabilities, readChangelog } from '../../protocol/document-operations.js';
import type { Json } from '../../protocol/example.js';
import type { Operation } from '../../protocol/operation.js';
import type { SiteName } from '../../upstream/sites.js';
import { registerPage } from '../parts/page-route.js';
import { sendPage } from '../parts/send-page.js';
import { docsPage } from './docs-page.js';

/** Serves `/docs`, rendered once for each site. It needs no service behind the gateway. */
export function registerDocs(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const pages = new Map<SiteName, string>();
  registerPage(app, sites, '/docs', async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const documentOf = (operation: Operation): Json | undefined => {
      const name = ownDocuments.get(operation);
      return name && (JSON.parse(documents.get(name, site).body.toString()) as Json);
    };
    const page = pages.get(site) ?? docsPage(documents.service(site), documentOf, sites);
    pages.set(site, page);
    return sendPage(request, reply, page, cacheControl.listing);
  });
}

const ownDocuments: ReadonlyMap<Operation, DocumentName> = new Map<Operation, DocumentName>([
  [readAgentEntry, 'agentEntry'],
  [readCapabilities, 'capabilities'],
  [readChangelog, 'changelog'],
]);
