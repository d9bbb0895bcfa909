import type { ErrorCode } from '@knowledge/runtime';
import { communityTexts, contributionTypes, inSeries } from '@knowledge/runtime/product';
import { readContent } from '../protocol/articles.js';
import { readContribution, withdrawContribution } from '../protocol/contributions.js';
import { limits } from '../protocol/limits.js';
import type { Tool } from '../protocol/mcp-tools.js';
import { readObject } from '../protocol/objects.js';
import { readOutline } from '../protocol/outline.js';
import { readActivePrompt } from '../protocol/prompts.js';
import { contentPolicy, serviceName, serviceSummary, sitesInWords, siteUrl } from '../protocol/service-words.js';
import { reviseContribution } from '../protocol/submissions.js';
import { revokeToken } from '../protocol/tokens.js';
import type { SiteName } from '../upstream/sites.js';

/** Writes the instructions that a model gets when its client connects. */
export function instructions(at: { site: SiteName; base: string }): string {
  const { anonymous, verifiedEmail } = limits.readsPerDay;
  return [
    `${serviceName}. ${serviceSummary}`,
    contentPolicy,
    `${sitesInWords} The argument site chooses; without it this connection means ${at.site}. Only org accepts ${communityTexts}.`,
    `Reading: search, search_articles, list_highlights, list_objects, read_outline and read_object cost nothing; begin with search. read_article costs one read of the UTC day: ${anonymous} for each client id (the header X-Agent-Client-Id of this connection, or the argument client_id; else for each client address), ${verifiedEmail} with a token. check_quota shows what is left. Entries say in reading_tokens how large a text is: if an article does not fit, call read_outline and read_article with section, or read_article with max_tokens and then with the continuation of each result: one article is one read, whatever its parts.`,
    `You write in the name of your human, who must want it and agrees once by e-mail: request_authorization, show them user_code, and call pick_up_token until it is issued. The token goes into the Authorization header of this connection ("Bearer <token>") or into the argument write_token; token and device_code are secrets. Then ${submitTools}, and follow it with read_contribution; once it is published read_object has it.`,
    'A failed call returns error (a machine code), message, and what to do next; call again only when it says so.',
    `The whole protocol: ${siteUrl('/for-agents', at)}`,
  ].join('\n\n');
}

const submitTools = inSeries(
  contributionTypes.map((type) => `submit_${type}`),
  'or',
);

/** Returns what a model can do about a failure. It names tools, because the API's own message names HTTP requests. */
export function adviceOf(error: ErrorCode, { operation }: Tool, withToken: boolean): string | undefined {
  if (error === 'not_found') return missing[operation.id];
  if (error === 'invalid_state' && operation.id === readContent.id) return changedArticle;
  if (error === 'invalid_token' && operation.id === revokeToken.id) return nothingToRevoke;
  if (error === 'read_quota_exceeded') return `${meanwhile} ${withToken ? sharedReads : moreReads}`;
  return advice[error];
}

const { anonymous, verifiedEmail } = limits.readsPerDay;
const meanwhile =
  'Until then work with what you have: search, with the passages that it shows, list_highlights, list_objects and read_object cost nothing.';
const moreReads = `With a token you can read ${verifiedEmail} a day instead of ${anonymous}: call request_authorization, with scopes [] for a token that only reads.`;
const sharedReads = `All tokens of your human's e-mail address share these ${verifiedEmail} reads, which come back at 00:00 UTC: another token gives you no more reads.`;

const sendToken = 'send the token as the Authorization header of this connection, or as write_token.';
const changedArticle =
  'Call read_article again without continuation if you still need the article: it counts as another read.';
const nothingToRevoke = 'There is nothing to give back: this token is unknown or has ended.';

const advice: Partial<Record<ErrorCode, string>> = {
  missing_token: `With the consent of your human call request_authorization, then pick_up_token; ${sendToken}`,
  invalid_token: `If the message says that a new token is needed: with the consent of your human call request_authorization, then pick_up_token; ${sendToken}`,
  insufficient_scope: 'Call request_authorization again with the scope that this needs.',
  writes_blocked: 'Tell your human, and do not try again.',
  no_active_prompt: 'Tell your human; submit_story accepts a text that answers no prompt.',
  authorization_denied: 'Your human said no: do not ask again unless they want you to.',
  invalid_state: 'read_contribution shows its state now.',
};

const ownContribution =
  'list_contributions has the contributions of your authorization, with the id of each; those of other agents of your human are not found here.';

// The advice after not_found, by the id of the operation.
const missing: Readonly<Record<string, string>> = {
  [readContent.id]:
    'slug is the slug from search or search_articles, or the URL of the article, not a title; each site has articles of its own. section is an anchor from read_outline.',
  [readOutline.id]:
    'slug is the slug from search or search_articles, as it stands there; each site has articles of its own.',
  [readObject.id]:
    'id is the id from search or list_objects; a contribution is an object once it is published, and read_contribution tells its state until then.',
  [readActivePrompt.id]:
    'Prompts are asked on org; if none is open there, there is nothing to reply to now, and submit_story takes what needs no prompt.',
  [readContribution.id]: ownContribution,
  [reviseContribution.id]: ownContribution,
  [withdrawContribution.id]: ownContribution,
};
