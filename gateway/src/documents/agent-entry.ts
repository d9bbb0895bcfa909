import type { Static } from 'typebox';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from '../protocol/document-operations.js';
import type { AgentEntrySchema } from '../protocol/document-schemas.js';
import { mcp } from '../protocol/mcp.js';
import type { Operation } from '../protocol/operation.js';
import { protocolVersion } from '../protocol/version.js';
import { siteNames } from '../sites.js';
import { operatorDocument, sitePurposesDocument } from './operator.js';
import { quickStart } from './quick-start.js';
import { contentPolicy, type Service, serviceName, serviceSummary, siteUrl, urlOf } from './service.js';

/** The agent entry as JSON (protocol.md section 7). */
export function agentEntryDocument(service: Service): Static<typeof AgentEntrySchema> {
  return {
    ok: true,
    api_version: protocolVersion,
    site: service.site,
    name: serviceName,
    description: serviceSummary,
    site_purposes: sitePurposesDocument(),
    operator: operatorDocument(service),
    content_policy: contentPolicy,
    quick_start: quickStart(service),
    endpoints: {
      ...Object.fromEntries(
        service.operations.flatMap((operation) =>
          operation.endpoint === undefined
            ? []
            : [[operation.endpoint, call(operation, urlOf(operation, service))] as const],
        ),
      ),
      [mcp.endpoint]: call(mcp, siteUrl(mcp.path, service)),
    },
    documentation: {
      capabilities: urlOf(readCapabilities, service),
      openapi: urlOf(readOpenApi, service),
      llms_txt: siteUrl('/llms.txt', service),
      for_agents: siteUrl('/for-agents', service),
      docs: siteUrl('/docs', service),
      changelog: urlOf(readChangelog, service),
    },
    sites: Object.fromEntries(
      siteNames.map((site) => [site, urlOf(readAgentEntry, { site, base: service.bases[site] })]),
    ),
  };
}

function call({ method, auth, summary }: Pick<Operation, 'method' | 'auth' | 'summary'>, url: string) {
  return { method, url, auth, summary };
}
