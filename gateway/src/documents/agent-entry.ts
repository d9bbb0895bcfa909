import type { Static } from 'typebox';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from '../protocol/document-operations.js';
import type { AgentEntrySchema } from '../protocol/document-schemas.js';
import { limits } from '../protocol/limits.js';
import { mcp } from '../protocol/mcp.js';
import type { Operation } from '../protocol/operation.js';
import { allOperations } from '../protocol/operations.js';
import { contentPolicy, serviceName, serviceSummary } from '../protocol/service-words.js';
import { siteUrl, urlOf } from '../protocol/urls.js';
import { protocolVersion } from '../protocol/version.js';
import { siteNames } from '../upstream/sites.js';
import { operatorDocument, sitePurposesDocument } from './operator.js';
import { quickStart } from './quick-start.js';
import { requestBodies } from './request-bodies.js';
import type { SiteProfile } from './site-profile.js';

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
