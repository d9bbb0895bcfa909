import { readCapabilities } from '../protocol/document-operations.js';
import { listContent, listCurated } from '../protocol/read-operations.js';
import { search } from '../protocol/search-operation.js';
import { urlOf } from '../protocol/urls.js';
import { authorize, exchangeToken, submitContribution } from '../protocol/write-operations.js';
import type { SiteProfile } from './site-profile.js';

/** The recommended sequence of calls (gateway/PROTOCOL.md#orientation). */
export function quickStart(service: SiteProfile): string[] {
  const call = (operation: Parameters<typeof urlOf>[0]): string => `${operation.method} ${urlOf(operation, service)}`;
  return [
    `${call(readCapabilities)}: what is served, limits and errors.`,
    `${call(search)}&q=<question>: search in articles and objects; ${call(listContent)}: the index. Both are free.`,
    `${call(listCurated)}: the editors' highlights, free too.`,
    `GET the api_url of an entry with X-Agent-Client-Id: one read, in parts with &max_tokens=4000.`,
    `To write: ${call(authorize)} with email and agent_name; your human confirms the e-mail; ${call(exchangeToken)} with device_code gives the Bearer token.`,
    `${call(submitContribution)} with Authorization: Bearer <write_token> and a body from write_payloads.`,
  ];
}
