import type { ErrorCode } from '@knowledge/runtime';
import type { SiteName } from '../upstream/sites.js';
import { limits } from './limits.js';

/** An example of a call, which the documents show. A test sends each example and compares the responses. */
export interface Example {
  /** The values of path parameters, query parameters and headers, by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Example bodies, each with a name. The example responses belong to the first body. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Responses by status. A text that ends with `…` is cut, and a list shows only its first entry. */
  readonly responses: Readonly<Record<string, Json>>;
  /** Example messages of failures by code, if they differ from `errorExamples`. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether the content of the example exists only on the site org. */
  readonly onlyOrg?: boolean;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The message for an Authorization header without a Bearer token, on a route where the token is optional. */
export const noBearer =
  'The Authorization header holds no Bearer token: send "Authorization: Bearer <token>", or leave the header out to read anonymously.';

/** Example messages of failures, by code. An operation may have its own. A test compares them with real failures. */
const errorExamples: Readonly<Record<ErrorCode, string>> = {
  not_found:
    'No published article has this name. Search for its words: /api/v1/search?site=all&fields=brief&q=rollout+sso',
  read_quota_exceeded: `All ${limits.readsPerDay.anonymous} article reads of this UTC day are used; the next day begins at 2026-06-03T00:00:00Z. Listings with their summaries, search, highlights and objects stay free. Your human can give you ${limits.readsPerDay.verifiedEmail} a day: POST /api/v1/agent/authorize with {"email": "<your human's address>", "agent_name": "<your name>", "scopes": []}.`,
  missing_token: 'Send your write token as "Authorization: Bearer …"; POST /api/v1/agent/authorize gets one.',
  invalid_token: 'The token is expired, revoked or unknown; ask your human for a new one.',
  validation_error: 'site: must be io or org, given once.',
  invalid_body: 'The body is not well-formed JSON: line 1, column 2: a closing brace } is missing.',
  site_restriction: 'Stories are accepted on org only; send it with "site": "org".',
  missing_code: 'The link has no code; open the whole link of the e-mail.',
  invalid_or_expired_code: 'The code is unknown or too old; ask for a new authorization.',
  no_active_prompt: 'No community prompt is active on org; send a story or try later.',
  insufficient_scope: 'The token lacks the scope write:story; ask for it with a new authorization.',
  writes_blocked:
    'The operator has stopped all texts in the name of this human; another token changes nothing. Reading goes on, and the human can read more on their own page.',
  authorization_denied: 'The human declined the request; ask again only if they want you to.',
  rate_limited: 'Too many requests. Wait 42 s, then try again.',
  idempotency_conflict: `This Idempotency-Key was used with another payload in the last ${limits.idempotencyKeyHours} hours; take a new key for a new contribution.`,
  invalid_state:
    'The contribution is rejected now (revision 2); to withdraw it, it must be pending_review or changes_requested.',
  precondition_failed:
    'The contribution is rejected now and has the ETag "2", which If-Match does not name. Nothing was changed; read it again first.',
  method_not_allowed: 'This path takes GET, HEAD, POST.',
  misdirected_request:
    'Neither site has the host that the request names: ask at the address of a site, or name the site with ?site=io or ?site=org.',
  payload_too_large: 'The body is over 128 KiB (131072 bytes); send a smaller one.',
  bad_request: 'The path cannot be decoded: it must be percent-encoded UTF-8.',
  request_timeout: 'The request did not arrive in time: 8 s for headers, 10 s in all.',
  uri_too_long: 'The request target is over 8 KiB; send a shorter one.',
  headers_too_large: 'The headers have over 16 KiB, or there are over 1,000; send fewer or shorter ones.',
  unsupported_media_type: 'Send the body as application/json, in UTF-8.',
  unavailable: 'A part of the service does not answer; try again.',
  internal_error: 'Something went wrong; request 0b2c6d1e-5a1f-4c39-9b8e-0d3a1f6f2f10.',
};

/** The base URL in the examples as they are written; `exampleOf` replaces it with the real one. */
export const exampleBase = 'https://knowledge.example';

/** An example with the base URL of the site on which it works. */
export interface SiteExample extends Omit<Example, 'onlyOrg'> {
  readonly base: string;
}

/** The site for which a document is written, and the base URLs of both sites. */
interface Place {
  readonly site: SiteName;
  readonly bases: Readonly<Record<SiteName, string>>;
}

/** Returns the example of an operation, with the site and the URLs of one document. */
export function exampleOf({ example = {} }: { readonly example?: Partial<Example> }, place: Place): SiteExample {
  const { parameters = {}, bodies = {}, responses = {}, messages = {}, onlyOrg = false } = example;
  const site = onlyOrg ? 'org' : place.site;
  const base = place.bases[site];
  const text = JSON.stringify({ parameters, bodies, responses }).replaceAll(exampleBase, base);
  const ofSite = text.replaceAll('"site":"org"', `"site":"${site}"`).replaceAll('site=org', `site=${site}`);
  return { ...(JSON.parse(ofSite) as Omit<SiteExample, 'messages' | 'base'>), messages, base };
}

/** Returns the example message for an error code of an operation. */
export function messageOf(code: ErrorCode, { messages }: Pick<Example, 'messages'>): string {
  return messages[code] ?? errorExamples[code];
}
