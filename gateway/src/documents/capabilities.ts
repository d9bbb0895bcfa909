import { errorCatalogue } from '@knowledge/runtime';
import type { Static } from 'typebox';
import { listContent, readContent } from '../protocol/articles.js';
import {
  type CapabilitiesSchema,
  type ChangelogEntrySchema,
  type EndpointSchema,
  readAgentEntry,
  readChangelog,
  readOpenApi,
} from '../protocol/document-operations.js';
import { limits } from '../protocol/limits.js';
import { type Operation, quotaHeaders } from '../protocol/operation.js';
import { allOperations } from '../protocol/operations.js';
import { publishedLimits } from '../protocol/published-limits.js';
import {
  implementationStatus,
  mcp,
  minClientVersion,
  protocolVersion,
  siteUrl,
  urlOf,
} from '../protocol/service-words.js';
import { fieldsOf, headersOf, mapValues } from './fields.js';
import { quickStart, writePayloads } from './request-bodies.js';
import { operatorDocument, type SiteProfile, sitePurposesDocument } from './site-profile.js';

/** The capabilities document of a site (gateway/PROTOCOL.md#capabilities). */
export function capabilitiesDocument(service: SiteProfile): Static<typeof CapabilitiesSchema> {
  return {
    ok: true,
    api_version: protocolVersion,
    min_client_version: minClientVersion,
    site: service.site,
    site_purposes: sitePurposesDocument(),
    operator: operatorDocument(service),
    implementation_status: implementationStatus,
    documentation: {
      human: siteUrl('/for-agents', service),
      spec: urlOf(readOpenApi, service),
      agent_entry: urlOf(readAgentEntry, service),
    },
    endpoints: {
      ...Object.fromEntries(
        allOperations.flatMap((operation) =>
          operation.endpoint === undefined ? [] : [[operation.endpoint, endpoint(operation, service)]],
        ),
      ),
      [mcp.endpoint]: mcpEndpoint(service),
    },
    identity: {
      primary: 'email',
      write_authorization: 'one_time_email_confirm_then_bearer_token',
      token_ttl_days: limits.tokenDays,
      token_sites: ['io', 'org'],
    },
    write_payloads: { ...writePayloads },
    changelog_url: urlOf(readChangelog, service),
    content_index_example: urlOf(listContent, service),
    client_id: {
      header: 'X-Agent-Client-Id',
      required: false,
      min_length: limits.clientId.min,
      max_length: limits.clientId.max,
      description:
        'Your own stable string, for example a name with a version, or one UUID for each deployment. Anonymous reads are counted by it, without it by address. A request for the page of an article (/articles/{slug}) with it, or with a Bearer token, is one read too.',
      example: 'research-agent/2.1',
    },
    errors: {
      shape: { ok: false, error: '<machine_code>', message: '<optional: what to do next>' },
      codes: mapValues(errorCatalogue, ({ http, retryable, description }) => ({
        status: http,
        retryable,
        description,
      })),
      rate_limit_headers: Object.keys(quotaHeaders),
    },
    limits: { ...publishedLimits(service.pagesPerAddress) },
    changelog: {
      ok: true,
      api_version: '<semantic version>',
      entries: [changelogFields],
    },
    quick_start: quickStart(service, 'write_payloads'),
  };
}

const changelogFields = {
  version: '<semantic version>',
  date: '<ISO date>',
  summary: '<what changed>',
  agent_action: '<what to do about it>',
} satisfies Record<keyof Static<typeof ChangelogEntrySchema>, string>;

function mcpEndpoint(service: SiteProfile): Static<typeof EndpointSchema> {
  const { method, path, auth, description } = mcp;
  const headers = headersOf(readContent);
  return { status: 'available', method, path, url: siteUrl(path, service), auth, headers, notes: description };
}

function endpoint(operation: Operation, service: SiteProfile): Static<typeof EndpointSchema> {
  const { method, path, auth, query, scopes, description, facts } = operation;
  const headers = headersOf(operation);
  return {
    status: 'available',
    method,
    path,
    url: urlOf(operation, service),
    auth,
    ...(query && { query: fieldsOf(query) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(scopes && { scopes: [...scopes] }),
    notes: description,
    ...facts,
  };
}
