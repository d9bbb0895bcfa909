import { readAgentEntry } from '../protocol/document-operations.js';
import { contentPolicy, serviceName } from '../protocol/service-words.js';
import { siteUrl, urlOf } from '../protocol/urls.js';
import { showConfirmation } from '../protocol/write-operations.js';
import { siteNames } from '../upstream/sites.js';
import type { Service } from './service.js';

/** What crawlers are told: where agents begin, and which paths hold secrets in their query. */
export function robotsDocument(service: Service): string {
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

// Sites that share an address share this file too.
function sitemaps({ base, bases }: Service): string {
  const here = siteNames.filter((site) => bases[site] === base);
  return here.map((site) => `Sitemap: ${siteUrl('/sitemap.xml', { base, site })}`).join('\n');
}
