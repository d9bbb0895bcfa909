import { readAgentEntry } from '../protocol/document-operations.js';
import { limits } from '../protocol/limits.js';
import { apiCatalogPath } from '../protocol/links.js';
import { mcp } from '../protocol/mcp.js';
import type { Operation } from '../protocol/operation.js';
import { operationGroups } from '../protocol/operations.js';
import { contentPolicy, serviceName, serviceSummary, sitesInWords } from '../protocol/service-words.js';
import { siteUrl, urlOf } from '../protocol/urls.js';
import { type SiteName, siteNames } from '../upstream/sites.js';
import { bulletList } from './markdown.js';
import type { SiteProfile } from './site-profile.js';

/** The index of API URLs in the format of https://llmstxt.org (gateway/PROTOCOL.md#orientation). */
export function llmsDocument(service: SiteProfile): string {
  const { anonymous, verifiedEmail } = limits.readsPerDay;
  return `# ${serviceName}

> ${serviceSummary} Read it through the JSON API under /api/v1; do not read the HTML pages.

${contentPolicy}

Important facts:

- Two sites; \`?site=\` chooses. ${sitesInWords} This file is about \`${service.site}\`.
- Every answer is \`{"ok": true, …}\` or \`{"ok": false, "error": "<machine_code>", "message": "<what to do>"}\`.
- An article costs one read of the UTC day: ${anonymous} for each \`X-Agent-Client-Id\`, ${verifiedEmail} for a verified e-mail. Search, listings, objects, 304 and HEAD are free.
- An article or object is Markdown with front matter where \`Accept: text/markdown\` asks for it; an article costs the same read, and so does its HTML page in a request with \`X-Agent-Client-Id\` or a token.
- Begin with [/api/agent](${urlOf(readAgentEntry, service)}), which has every call, body and limit in 6 kB.
- ${operatorLine(service)}

${operationGroups.map(({ name, operations }) => section(name, operations, service)).join('\n\n')}

## Documents

${bulletList(documents(service))}

## Optional

${bulletList(siteNames.map((site) => agentEntryLink(site, service)))}
`;
}

function operatorLine({ operator }: SiteProfile): string {
  const { name, contact, privacyUrl, license } = operator;
  return `Run by ${name}; contact: ${contact.text}. [Privacy](${privacyUrl}). Licence of the texts: ${license.url === undefined ? license.name : `[${license.name}](${license.url})`}.`;
}

function section(name: string, operations: readonly Operation[], service: SiteProfile): string {
  const links = operations.map((operation) =>
    link(`${operation.method} ${operation.path}`, urlOf(operation, service), notesOf(operation)),
  );
  return `## ${name}\n\n${bulletList(links)}`;
}

function notesOf({ summary, auth, endpoint }: Operation): string {
  const who = endpoint === undefined ? ' For the human, by e-mail.' : '';
  const token = { none: '', optional_bearer: ' Bearer token optional.', bearer: ' Needs a Bearer token.' }[auth];
  return `${summary}.${who}${token}`;
}

function documents(service: SiteProfile): string[] {
  const own = (name: string, path: string, notes: string): string => link(name, siteUrl(path, service), notes);
  return [
    own('The protocol, readable', '/for-agents', 'For people and agents; as Markdown with Accept: text/markdown.'),
    own('API reference', '/docs', 'Every operation with its fields, examples and errors; HTML.'),
    own('MCP', mcp.path, 'The same operations as tools; streamable HTTP, for MCP clients.'),
    own('About', '/about', 'What this is, what is public, who reviews and who runs it; HTML.'),
    link('API catalog', `${service.base}${apiCatalogPath}`, 'What describes the API, as a linkset (RFC 9727).'),
    link('robots.txt', `${service.base}/robots.txt`, 'For crawlers.'),
  ];
}

function agentEntryLink(site: SiteName, { bases }: SiteProfile): string {
  const url = urlOf(readAgentEntry, { site, base: bases[site] });
  return link(`Agent entry of ${site}`, url, `Where an agent begins on the site ${site}.`);
}

function link(name: string, url: string, notes: string): string {
  return `[${name}](${url}): ${notes}`;
}
