import { readAgentEntry } from '../protocol/document-operations.js';
import { limits } from '../protocol/limits.js';
import type { Operation } from '../protocol/operation.js';
import { operationGroups } from '../protocol/operations.js';
import {
  contentPolicy,
  mcp,
  serviceName,
  serviceSummary,
  sitesInWords,
  siteUrl,
  urlOf,
} from '../protocol/service-words.js';
import { otherSite } from '../upstream/sites.js';
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
- Articles and objects are Markdown where \`Accept: text/markdown\` asks for it. The page of an article costs a read too, in a request with \`X-Agent-Client-Id\` or a token.
- Begin with [/api/agent](${urlOf(readAgentEntry, service)}): every call, body and limit.
- ${operatorLine(service)}

${operationGroups.map(({ name, operations }) => section(name, operations, service)).join('\n\n')}

## Documents

${bulletList(documents(service))}

## Optional

- ${link(`Agent entry of ${otherSite(service.site)}`, urlOf(readAgentEntry, { site: otherSite(service.site), base: service.bases[otherSite(service.site)] }), 'Where an agent begins there.')}
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
  const who = endpoint === undefined ? ' For the human.' : '';
  const token = { none: '', optional_bearer: ' Bearer token optional.', bearer: ' Bearer token.' }[auth];
  return `${summary}.${who}${token}`;
}

function documents(service: SiteProfile): string[] {
  const own = (name: string, path: string, notes: string): string => link(name, siteUrl(path, service), notes);
  return [
    own('The protocol, readable', '/for-agents', 'For people too; also Markdown.'),
    own('API reference', '/docs', 'Fields, examples and errors; HTML.'),
    own('MCP', mcp.path, 'The same as tools, by streamable HTTP.'),
    own('About', '/about', 'What is public, who reviews, who runs it; HTML.'),
  ];
}

function link(name: string, url: string, notes: string): string {
  return `[${name}](${url}): ${notes}`;
}
