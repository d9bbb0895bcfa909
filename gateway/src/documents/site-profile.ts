import type { Operator } from '@knowledge/runtime';
import type { Static } from 'typebox';
import type { AgentEntrySchema } from '../protocol/document-operations.js';
import { siteUrl } from '../protocol/service-words.js';
import { perSite, type SiteName, type Sites, sitePurposes, siteTitles } from '../upstream/sites.js';

/** The facts about a site that its documents state. */
export interface SiteProfile {
  readonly site: SiteName;
  /** The base URL of the site, without a trailing slash. */
  readonly base: string;
  readonly bases: Readonly<Record<SiteName, string>>;
  readonly pagesPerAddress: number;
  readonly operator: Operator;
}

export function describeSite(
  site: SiteName,
  { sites, pagesPerAddress }: { sites: Sites; pagesPerAddress: number },
): SiteProfile {
  return {
    site,
    base: sites.base(site),
    bases: perSite(sites.base),
    pagesPerAddress,
    operator: sites.operator,
  };
}

type AgentEntry = Static<typeof AgentEntrySchema>;

/** Who runs the service, for the documents that are JSON. */
export function operatorDocument(service: SiteProfile): AgentEntry['operator'] {
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = service.operator;
  return {
    name,
    contact: contact.text,
    about_url: siteUrl('/about', service),
    privacy_url: privacyUrl,
    ...(termsUrl !== undefined && { terms_url: termsUrl }),
    ...(imprintUrl !== undefined && { imprint_url: imprintUrl }),
    ...(rulesUrl !== undefined && { rules_url: rulesUrl }),
    content_license: { ...license },
  };
}

/** The title and the purpose of each site, by its name. */
export function sitePurposesDocument(): AgentEntry['site_purposes'] {
  return perSite((site) => `${siteTitles[site]}. ${sitePurposes[site]}`);
}

/** Where to report a security problem (RFC 9116). It expires six months after the month of the request. */
export function securityText({ base, operator }: SiteProfile, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 6, 1));
  return `Contact: ${operator.contact.url}
Expires: ${expires.toISOString().replace('.000', '')}
Preferred-Languages: en
Canonical: ${base}${securityTextPath}
`;
}

/** The path that RFC 9116 requires. */
export const securityTextPath = '/.well-known/security.txt';
