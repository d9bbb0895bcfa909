import type { Static } from 'typebox';
import { strongEtag } from '../http/etags.js';
import type { ReadyResponse } from '../http/send-read.js';
import { changelog } from '../protocol/changelog.js';
import type { ChangelogSchema } from '../protocol/document-schemas.js';
import { serviceLinks } from '../protocol/links.js';
import { protocolVersion } from '../protocol/version.js';
import type { SiteName, Sites } from '../upstream/sites.js';
import { agentEntryDocument } from './agent-entry.js';
import { agentEntryText } from './agent-entry-text.js';
import { capabilitiesDocument } from './capabilities.js';
import { guideDocument } from './guide.js';
import { llmsDocument } from './llms.js';
import { openApiDocument } from './openapi.js';
import { robotsDocument } from './robots.js';
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
export interface Documents {
  get(name: DocumentName, site: SiteName): ReadyResponse;
  service(site: SiteName): SiteProfile;
}

/** Creates the documents. Each is written at its first request and then cached. */
export function createDocuments(deps: { sites: Sites; pagesPerAddress: number }): Documents {
  const made = new Map<string, ReadyResponse>();
  const profiles = new Map<SiteName, SiteProfile>();
  const service = (site: SiteName): SiteProfile => {
    const known = profiles.get(site) ?? describeSite(site, deps);
    profiles.set(site, known);
    return known;
  };
  return {
    service,
    get(name, site) {
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
