import { readCapabilities } from '../protocol/document-operations.js';
import { listContent, listCurated, readContent } from '../protocol/read-operations.js';
import { search } from '../protocol/search-operation.js';
import { urlOf } from '../protocol/urls.js';
import { authorize, exchangeToken, submitContribution } from '../protocol/write-operations.js';
import type { SiteProfile } from './site-profile.js';

/** The recommended sequence of calls (gateway/PROTOCOL.md#orientation). */
export function quickStart(service: SiteProfile): string[] {
  const call = (operation: Parameters<typeof urlOf>[0]): string => `${operation.method} ${urlOf(operation, service)}`;
  return [
    `${call(readCapabilities)}: what is served, limits and errors.`,
    `${call(search)}&q=<question>: search in articles and objects; ${call(listContent)}: the index. Both cost no quota.`,
    `${call(listCurated)}: the editors' highlights; they cost no quota either.`,
    `GET the api_url of an entry (${urlOf(readContent, service)}) with X-Agent-Client-Id: one read of the daily quota.`,
    `To write: ${call(authorize)} with email and agent_name; your human confirms the e-mail; ${call(exchangeToken)} with device_code, from the answer, gives you the Bearer token.`,
    `${call(submitContribution)} with Authorization: Bearer <write_token> and a body from write_payloads.`,
  ];
}
