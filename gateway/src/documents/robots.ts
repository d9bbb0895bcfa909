import { readAgentEntry } from '../protocol/document-operations.js';
import { contentPolicy, serviceName } from '../protocol/service-words.js';
import { siteUrl, urlOf } from '../protocol/urls.js';
import { showConfirmation } from '../protocol/write-operations.js';
import { siteNames } from '../upstream/sites.js';
import type { SiteProfile } from './site-profile.js';

/** `robots.txt`: says where agents begin, and forbids crawlers the pages whose URLs contain secrets. */
export function robotsDocument(service: SiteProfile): string {
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
function sitemaps({ base, bases }: SiteProfile): string {
  const here = siteNames.filter((site) => bases[site] === base);
  return here.map((site) => `Sitemap: ${siteUrl('/sitemap.xml', { base, site })}`).join('\n');
}
