import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Gateway } from '../api/gateway.js';
import { linkToApi, registerOperation } from '../api/operation-route.js';
import { withIgnored } from '../api/send-listing.js';
import { ignoredParameters } from '../api/unknown-names.js';
import { strongEtag } from '../http/etags.js';
import { cacheControl, type ReadyResponse, sendPublic, sendRead } from '../http/send-read.js';
import { showConfirmation } from '../protocol/authorization.js';
import { changelog } from '../protocol/changelog.js';
import {
  type ChangelogSchema,
  readAgentEntry,
  readCapabilities,
  readChangelog,
  readOpenApi,
} from '../protocol/document-operations.js';
import { serviceLinks } from '../protocol/links.js';
import { contentPolicy, protocolVersion, serviceName, siteUrl, urlOf } from '../protocol/service-words.js';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';
import { agentEntryDocument, agentEntryText, llmsDocument } from './agent-entry.js';
import { capabilitiesDocument } from './capabilities.js';
import { guideDocument } from './guide.js';
import { openApiDocument } from './openapi.js';
import { describeSite, type SiteProfile } from './site-profile.js';

const writers = {
  capabilities: json(capabilitiesDocument),
  changelog: json(changelogDocument),
  openApi: json(openApiDocument),
  agentEntry: json(agentEntryDocument),
  agentEntryText,
  guide: guideDocument,
  llms: llmsDocument,
  robots: robotsDocument,
  apiCatalog: json(apiCatalogDocument),
};

export type DocumentName = keyof typeof writers;

/** The documents about the protocol, for each site. */
export type Documents = ReturnType<typeof createDocuments>;

/** Creates the documents. Each is written at its first request and then cached. */
export function createDocuments(parts: { sites: Sites; pagesPerAddress: number }) {
  const made = new Map<string, ReadyResponse>();
  const profiles = new Map<SiteName, SiteProfile>();
  const service = (site: SiteName) => {
    const known = profiles.get(site) ?? describeSite(site, parts);
    profiles.set(site, known);
    return known;
  };
  return {
    service,
    get(name: DocumentName, site: SiteName) {
      const key = `${name}/${site}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      const body = Buffer.from(writers[name](service(site)));
      const document = { body, etag: strongEtag(body) };
      made.set(key, document);
      return document;
    },
  };
}

/** The changelog as its operation returns it (gateway/PROTOCOL.md#changelog). */
function changelogDocument(): Static<typeof ChangelogSchema> {
  return { ok: true, api_version: protocolVersion, entries: [...changelog] };
}

/** The API catalog (RFC 9727): programs that know only the host find the API with it. RFC 9264 defines its form. */
function apiCatalogDocument(service: SiteProfile): unknown {
  const links = serviceLinks(service).filter(({ rel }) => rel !== 'api-catalog');
  const described = links.map(({ rel, ...target }) => [rel, [target]]);
  return { linkset: [{ anchor: `${service.base}/api/v1/`, ...Object.fromEntries(described) }] };
}

function json(write: (service: SiteProfile) => unknown): (service: SiteProfile) => string {
  return (service) => JSON.stringify(write(service));
}

/** `robots.txt`: says where agents begin, and forbids crawlers the pages whose URLs contain secrets. */
function robotsDocument(service: SiteProfile) {
  return `# ${serviceName}
# Agents use the JSON API instead of reading pages. Begin here:
#   Agent entry: ${urlOf(readAgentEntry, service)}
#   llms.txt:    ${siteUrl('/llms.txt', service)}
#   For people:  ${siteUrl('/for-agents', service)}
# The page of an article that is asked for with X-Agent-Client-Id or a Bearer token counts as an article read.
# ${contentPolicy}

User-agent: *
Disallow: ${showConfirmation.path}
Disallow: /access
Allow: /

${sitemaps(service)}
`;
}

// Sites with the same base URL share this file, so it lists the sitemaps of all of them.
function sitemaps({ base, bases }: SiteProfile) {
  const here = siteNames.filter((site) => bases[site] === base);
  return here.map((site) => `Sitemap: ${siteUrl('/sitemap.xml', { base, site })}`).join('\n');
}

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
