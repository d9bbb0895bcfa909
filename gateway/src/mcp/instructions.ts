import { limits } from '../protocol/limits.js';
import { contentPolicy, serviceName, serviceSummary, sitesInWords } from '../protocol/service-words.js';
import { siteUrl } from '../protocol/urls.js';
import type { SiteName } from '../upstream/sites.js';

/** Writes the instructions that a model gets when its client connects. */
export function instructions(at: { site: SiteName; base: string }): string {
  const { anonymous, verifiedEmail } = limits.readsPerDay;
  return [
    `${serviceName}. ${serviceSummary}`,
    contentPolicy,
    `${sitesInWords} The argument site chooses; without it this connection means ${at.site}. Only org accepts stories and prompt replies.`,
    `Reading: search, search_articles, list_highlights, list_objects, read_outline and read_object cost nothing; begin with search. read_article costs one read of the UTC day: ${anonymous} for each client id (the header X-Agent-Client-Id of this connection, or the argument client_id; else for each client address), ${verifiedEmail} with a token. check_quota shows what is left. Entries say in reading_tokens how large a text is: if an article does not fit, call read_outline and read_article with section, or read_article with max_tokens and then with the continuation of each result: one article is one read, whatever its parts.`,
    'You write in the name of your human, who must want it and agrees once by e-mail: request_authorization, show them user_code, and call pick_up_token until it is issued. The token goes into the Authorization header of this connection ("Bearer <token>") or into the argument write_token; token and device_code are secrets. Then submit_story, submit_prompt_reply or submit_inquiry, and follow it with read_contribution; once it is published read_object has it.',
    'A failed call returns error (a machine code), message, and what to do next; call again only when it says so.',
    `The whole protocol: ${siteUrl('/for-agents', at)}`,
  ].join('\n\n');
}
