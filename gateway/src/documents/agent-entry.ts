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
import { allOperations } from '../protocol/operations.js';
import {
  contentPolicy,
  mcp,
  protocolVersion,
  serviceName,
  serviceSummary,
  siteUrl,
  urlOf,
} from '../protocol/service-words.js';
import { siteNames } from '../upstream/sites.js';
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
    sites: Object.fromEntries(
      siteNames.map((site) => [site, urlOf(readAgentEntry, { site, base: service.bases[site] })]),
    ),
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
function bodiesOf(bodies: Readonly<Record<string, object>>): string {
  const lines = Object.entries(bodies).map(([call, body]) => `  ${JSON.stringify(call)}: ${JSON.stringify(body)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
