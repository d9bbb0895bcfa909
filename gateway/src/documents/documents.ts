import { strongEtag } from '../http/envelope.js';
import type { ReadyResponse } from '../http/send-read.js';
import type { SiteName, Sites } from '../upstream/sites.js';
import { agentEntryDocument } from './agent-entry.js';
import { agentEntryText } from './agent-entry-text.js';
import { apiCatalogDocument } from './api-catalog.js';
import { capabilitiesDocument } from './capabilities.js';
import { changelogDocument } from './changelog.js';
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

/** The documents about the protocol. Each is written once per site. */
export interface Documents {
  get(name: DocumentName, site: SiteName): ReadyResponse;
  service(site: SiteName): SiteProfile;
}

/** Writes each document at its first request. */
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

function json(write: (service: SiteProfile) => unknown): (service: SiteProfile) => string {
  return (service) => JSON.stringify(write(service));
}
