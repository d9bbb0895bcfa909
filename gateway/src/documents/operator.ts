import type { Static } from 'typebox';
import type { AgentEntrySchema } from '../protocol/document-schemas.js';
import { siteUrl } from '../protocol/urls.js';
import { siteNames, sitePurposes, siteTitles } from '../upstream/sites.js';
import type { Service } from './service.js';

type AgentEntry = Static<typeof AgentEntrySchema>;

/** Who runs the service, for programs and those behind them. */
export function operatorDocument(service: Service): AgentEntry['operator'] {
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

/** What each site is for. */
export function sitePurposesDocument(): AgentEntry['site_purposes'] {
  return Object.fromEntries(siteNames.map((site) => [site, `${siteTitles[site]}. ${sitePurposes[site]}`]));
}

/** Where to report a hole (RFC 9116); good for half a year from the month in which it is read. */
export function securityText({ base, operator }: Service, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 6, 1));
  return `Contact: ${operator.contact.url}
Expires: ${expires.toISOString().replace('.000', '')}
Preferred-Languages: en
Canonical: ${base}${securityTextPath}
`;
}

/** Where RFC 9116 wants it. */
export const securityTextPath = '/.well-known/security.txt';
