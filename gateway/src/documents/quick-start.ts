import { readAgentEntry, readCapabilities } from '../protocol/document-operations.js';
import { listContent, listCurated } from '../protocol/read-operations.js';
import { search } from '../protocol/search-operation.js';
import { urlOf } from '../protocol/urls.js';
import { authorize, exchangeToken, submitContribution } from '../protocol/write-operations.js';
import type { SiteProfile } from './site-profile.js';

/**
 * The recommended sequence of calls (gateway/PROTOCOL.md#orientation). A URL ends its step or stands before a space,
 * since programs find URLs in text. `bodies` is the field of the document that has the bodies.
 */
export function quickStart(service: SiteProfile, bodies: 'bodies' | 'write_payloads'): string[] {
  const call = (operation: Parameters<typeof urlOf>[0]): string => `${operation.method} ${urlOf(operation, service)}`;
  return [
    `Begin with every call and body: ${call(readAgentEntry)} (details: ${call(readCapabilities)} )`,
    `Search both sites: GET ${service.base}${search.path}?site=all&fields=brief&q=<question>`,
    `Or list one: ${call(listContent)} or highlights: ${call(listCurated)}`,
    'GET the api_url of an entry with X-Agent-Client-Id: one read, in parts with &max_tokens=4000',
    `To write, send email and agent_name; your human confirms by mail: ${call(authorize)}`,
    `Get the token with device_code: ${call(exchangeToken)}`,
    `Send a body of ${bodies} with Authorization: Bearer <write_token>: ${call(submitContribution)}`,
  ];
}
