import type { Static } from 'typebox';
import {
  type AgentEntrySchema,
  readAgentEntry,
  readCapabilities,
  readChangelog,
  readOpenApi,
} from '../protocol/document-operations.js';
import { limits } from '../protocol/limits.js';
import type { Operation } from '../protocol/operation.js';
import { allOperations, operationGroups } from '../protocol/operations.js';
import {
  contentPolicy,
  mcp,
  protocolVersion,
  serviceName,
  serviceSummary,
  sitesInWords,
  siteUrl,
  urlOf,
} from '../protocol/service-words.js';
import { otherSite, perSite } from '../upstream/sites.js';
import { bulletList, codeBlock, markdownTable, numberedList } from './markdown.js';
import { quickStart, requestBodies } from './request-bodies.js';
import { operatorDocument, type SiteProfile, sitePurposesDocument } from './site-profile.js';

/** The document at `/api/agent`, where agents begin, as JSON (gateway/PROTOCOL.md#orientation). */
export function agentEntryDocument(service: SiteProfile): Static<typeof AgentEntrySchema> {
  // A public URL may be long, so it stands once, and the rest are paths.
  const here = { ...service, base: '' };
  return {
    ok: true,
    api_version: protocolVersion,
    site: service.site,
    base_url: service.base,
    name: serviceName,
    description: serviceSummary,
    site_purposes: sitePurposesDocument(),
    operator: operatorDocument(here),
    content_policy: contentPolicy,
    quick_start: quickStart(here, 'bodies'),
    limits: {
      article_reads_per_utc_day: {
        anonymous: limits.readsPerDay.anonymous,
        verified_email: limits.readsPerDay.verifiedEmail,
      },
      contributions_per_utc_day: limits.contributionsPerDay,
      free: 'search, lists, objects, 304, HEAD',
    },
    endpoints: {
      ...Object.fromEntries(
        allOperations
          .filter((operation) => operation.endpoint !== undefined && !documents.includes(operation))
          .map((operation) => [operation.endpoint, call(operation, urlOf(operation, here))]),
      ),
      [mcp.endpoint]: call(mcp, siteUrl(mcp.path, here)),
    },
    bodies: requestBodies(),
    documentation: {
      capabilities: urlOf(readCapabilities, here),
      openapi: urlOf(readOpenApi, here),
      llms_txt: siteUrl('/llms.txt', here),
      for_agents: siteUrl('/for-agents', here),
      docs: siteUrl('/docs', here),
      changelog: urlOf(readChangelog, here),
    },
    sites: perSite((site) => urlOf(readAgentEntry, { site, base: service.bases[site] })),
  };
}

/** The entry lists these under `documentation`, not under `endpoints`. */
const documents: readonly Operation[] = [readAgentEntry, readCapabilities, readChangelog, readOpenApi];

// Leaves out what the name says and `auth` if none is needed: common tools cut a document after 5,000 characters.
function call({ method, auth }: Pick<Operation, 'method' | 'auth'>, path: string) {
  return { method, path, ...(auth !== 'none' && { auth }) };
}

/** The agent entry as Markdown, with the facts of its JSON, short enough for a model's context. */
export function agentEntryText(service: SiteProfile): string {
  const entry = agentEntryDocument(service);
  return [
    `# ${entry.name}: where an agent begins`,
    `${entry.description} This is about the site \`${entry.site}\`; \`?site=\` chooses. Paths follow \`${entry.base_url}\`; for MCP clients: \`${mcp.path}\`.`,
    `> ${entry.content_policy}`,
    bulletList(Object.entries(entry.site_purposes).map(([site, purpose]) => `\`${site}\`: ${purpose}`)),
    '## Steps',
    numberedList(entry.quick_start),
    `Free: ${entry.limits.free}. An article costs one of ${entry.limits.article_reads_per_utc_day.anonymous} reads a UTC day, of ${entry.limits.article_reads_per_utc_day.verified_email} with a token.`,
    '## Calls',
    markdownTable(
      ['Call', 'What it does'],
      allOperations
        .filter(({ endpoint }) => endpoint !== undefined)
        .map(({ method, path, summary, auth }) => [
          `\`${method} ${path}\``,
          auth === 'bearer' ? `${summary}; needs a token` : summary,
        ]),
    ),
    '## Bodies',
    codeBlock('json', bodiesOf(entry.bodies)),
    '## More',
    bulletList(Object.entries(entry.documentation).map(([name, url]) => `${name}: \`${url}\``)),
  ].join('\n\n');
}

// Writes each body on a line of its own.
function bodiesOf(bodies: Readonly<Record<string, object>>) {
  const lines = Object.entries(bodies).map(([call, body]) => `  ${JSON.stringify(call)}: ${JSON.stringify(body)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

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

${bulletList(documentLinks(service))}

## Optional

- ${link(`Agent entry of ${otherSite(service.site)}`, urlOf(readAgentEntry, { site: otherSite(service.site), base: service.bases[otherSite(service.site)] }), 'Where an agent begins there.')}
`;
}

function operatorLine({ operator }: SiteProfile) {
  const { name, contact, privacyUrl, license } = operator;
  return `Run by ${name}; contact: ${contact.text}. [Privacy](${privacyUrl}). Licence of the texts: ${license.url === undefined ? license.name : `[${license.name}](${license.url})`}.`;
}

function section(name: string, operations: readonly Operation[], service: SiteProfile) {
  const links = operations.map((operation) =>
    link(`${operation.method} ${operation.path}`, urlOf(operation, service), notesOf(operation)),
  );
  return `## ${name}\n\n${bulletList(links)}`;
}

function notesOf({ summary, auth, endpoint }: Operation) {
  const who = endpoint === undefined ? ' For the human.' : '';
  const token = { none: '', optional_bearer: ' Bearer token optional.', bearer: ' Bearer token.' }[auth];
  return `${summary}.${who}${token}`;
}

function documentLinks(service: SiteProfile) {
  const own = (name: string, path: string, notes: string) => link(name, siteUrl(path, service), notes);
  return [
    own('The protocol, readable', '/for-agents', 'For people too; also Markdown.'),
    own('API reference', '/docs', 'Fields, examples and errors; HTML.'),
    own('MCP', mcp.path, 'The same as tools, by streamable HTTP.'),
    own('About', '/about', 'What is public, who reviews, who runs it; HTML.'),
  ];
}

function link(name: string, url: string, notes: string) {
  return `[${name}](${url}): ${notes}`;
}
