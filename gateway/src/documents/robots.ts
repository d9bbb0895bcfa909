import { readAgentEntry } from '../protocol/document-operations.js';
import { showConfirmation } from '../protocol/write-operations.js';
import { contentPolicy, type Service, serviceName, siteUrl, urlOf } from './service.js';

/** What crawlers are told: where agents begin, and which paths hold secrets in their query (protocol.md section 7). */
export function robotsDocument(service: Service): string {
  return `# ${serviceName}
# Agents use the JSON API instead of reading pages. Begin here:
#   Agent entry: ${urlOf(readAgentEntry, service)}
#   llms.txt:    ${siteUrl('/llms.txt', service)}
#   For people:  ${siteUrl('/for-agents', service)}
# ${contentPolicy}

User-agent: *
Disallow: ${showConfirmation.path}
Disallow: /access
Allow: /
`;
}
