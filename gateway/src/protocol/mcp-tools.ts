import { type ContributionType, contributionTypes, kinds, publishedTexts, scopeOf } from '@knowledge/runtime/product';
import type { TObject } from 'typebox';
import { listContent, readContent } from './articles.js';
import { authorize } from './authorization.js';
import { listContributions, readContribution, withdrawContribution } from './contributions.js';
import { listCurated } from './highlights.js';
import { limits } from './limits.js';
import { listObjects, readObject } from './objects.js';
import type { Operation } from './operation.js';
import { readOutline } from './outline.js';
import { readActivePrompt } from './prompts.js';
import { readQuota } from './quota.js';
import { contentNotice } from './schemas.js';
import { search } from './search.js';
import { contributionBodies, reviseContribution, submitContribution } from './submissions.js';
import { describeToken, exchangeToken, revokeToken } from './tokens.js';

/** An MCP tool: an operation of the API under a name that a model understands. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: Operation;
  /** The schema of the body, if the tool sends only one of the types that the operation accepts. */
  readonly body?: TObject;
  readonly annotations: Annotations;
}

/** The hints of MCP by which a client decides whether a model may call a tool. */
interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the tool returns texts of strangers, or sends something to people. */
  readonly openWorldHint: boolean;
}

const looksAtCommunity = hints({ readOnly: true, idempotent: true, openWorld: true });
const looksAtOwn = hints({ readOnly: true, idempotent: true });
const sends = hints({ openWorld: true });
const ends = hints({ destructive: true, idempotent: true });

/** The defaults of query parameters in a tool. What a model sees of a listing stays in its context. */
export const toolDefaults: Readonly<Record<string, string>> = { fields: 'brief' };

const { anonymous, verifiedEmail } = limits.readsPerDay;
const reviewed = 'A moderator reviews it; follow it with read_contribution.';

/** The title and the description of the tool that sends each type. */
const submissions: Readonly<Record<ContributionType, readonly [string, string]>> = {
  inquiry: [
    'Ask the people of the service',
    'Sends a private question in the name of your human, never published; the answer comes to them by e-mail and to you in read_contribution. With purpose it proposes a correction of an article or object, or reports a problem with it: about is its api_url or human_url.',
  ],
  story: ['Send a story', 'Sends a field experience in the name of your human, on org, to be published.'],
  prompt_reply: [
    'Reply to the community prompt',
    'Sends an answer to read_active_prompt in the name of your human, on org, to be published.',
  ],
};

/** Every tool, in the order in which an agent usually needs them. */
export const tools: readonly Tool[] = [
  {
    name: 'search',
    title: 'Search in articles and community objects',
    description: `Best match first, from a question or words, in English or the language of the text; with site all on both sites. Each entry has its best passage and its length in tokens: often the passage already answers. Read with read_article (slug) or read_object (id), and leave weak entries for last: if all are weak, mostly no text is about the question. Costs no quota. ${contentNotice}`,
    operation: search,
    annotations: looksAtCommunity,
  },
  {
    name: 'search_articles',
    title: 'List articles',
    description: `The index of articles: newest first, or best match first with q, where weak marks what fits badly; search finds objects too. Gives slugs for read_article, and how many tokens each article takes (reading_tokens). Costs no quota. ${contentNotice}`,
    operation: listContent,
    annotations: looksAtCommunity,
  },
  {
    name: 'list_highlights',
    title: "The editors' highlights",
    description: `The articles that the editors chose, in their order, each with a note. Costs no quota. ${contentNotice}`,
    operation: listCurated,
    annotations: looksAtCommunity,
  },
  {
    name: 'read_article',
    title: 'Read one article',
    description: `The whole article, or with max_tokens or section a part of it that fits. Each success is one of the reads of a UTC day: ${anonymous} for an anonymous reader, ${verifiedEmail} with a token; failures cost nothing. If the result has a continuation, call again with it, and for another section with section and the url of other_sections as continuation: the same article does not count again. Search first, and read only the articles that you need. ${contentNotice}`,
    operation: readContent,
    annotations: looksAtCommunity,
  },
  {
    name: 'read_outline',
    title: 'The headings of one article',
    description: `The headings of an article with the tokens of each section. Costs no quota. Gives the section for read_article where the whole article is too large. ${contentNotice}`,
    operation: readOutline,
    annotations: looksAtCommunity,
  },
  {
    name: 'list_objects',
    title: 'The catalog of community objects',
    description: `Published ${publishedTexts}: newest first, or best match first with q, where weak marks what fits badly. Costs no quota. ${contentNotice}`,
    operation: listObjects,
    annotations: looksAtCommunity,
  },
  {
    name: 'read_object',
    title: 'Read one community object',
    description: `A published object; a contribution keeps its id when it is published, and is not_found until then. Costs no quota. ${contentNotice}`,
    operation: readObject,
    annotations: looksAtCommunity,
  },
  {
    name: 'read_active_prompt',
    title: 'The active community prompt',
    description: `The question that submit_prompt_reply answers now; not_found when there is none. ${contentNotice}`,
    operation: readActivePrompt,
    annotations: looksAtCommunity,
  },
  {
    name: 'check_quota',
    title: 'How many article reads and contributions are left',
    description:
      'How many read_article calls you have left and when the count starts again; with a token also how many contributions, in writes. Costs nothing.',
    operation: readQuota,
    annotations: looksAtOwn,
  },
  {
    name: 'request_authorization',
    title: 'Ask your human for a token',
    description:
      'Sends one mail to your human, who compares user_code and confirms or declines. Ask your human before you call this. Keep token_exchange.device_code secret and give it to pick_up_token.',
    operation: authorize,
    annotations: sends,
  },
  {
    name: 'pick_up_token',
    title: 'Pick up the token after the confirmation',
    description: `Returns pending until the human has decided: wait at least ${limits.pollSeconds} seconds between two calls. Then it returns the token, and the same token again for ${limits.tokenRedeliveryMinutes} minutes. Keep it secret; send it as the Authorization header of this connection or as write_token.`,
    operation: exchangeToken,
    annotations: hints({ idempotent: true }),
  },
  {
    name: 'describe_token',
    title: 'What your token is',
    description: 'The scopes and the human of the token that you send, and when it ends.',
    operation: describeToken,
    annotations: looksAtOwn,
  },
  {
    name: 'revoke_token',
    title: 'Give your token back',
    description:
      'Ends the token that you send, for good. Call it when your human wants it, or when you need the token no more.',
    operation: revokeToken,
    annotations: ends,
  },
  ...contributionTypes.map((type): Tool => {
    const [title, description] = submissions[type];
    const more = `Needs a token with ${scopeOf(type)}. ${kinds[type].isPublic ? reviewed : ''}`.trim();
    return {
      name: `submit_${type}`,
      title,
      description: `${description} ${more}`,
      operation: submitContribution,
      body: contributionBodies[type],
      annotations: sends,
    };
  }),
  {
    name: 'list_contributions',
    title: 'What you sent',
    description:
      'The contributions of your authorization with their states, newest first. Contributions of other agents of your human are not here. Needs a token.',
    operation: listContributions,
    annotations: looksAtOwn,
  },
  {
    name: 'read_contribution',
    title: 'What became of one contribution',
    description:
      "Its state, and the moderator's reason or answer. In changes_requested, reason says what revise_contribution must change. Needs a token.",
    operation: readContribution,
    annotations: looksAtOwn,
  },
  {
    name: 'revise_contribution',
    title: 'Send a new text',
    description: `Replaces the text of a contribution in the state changes_requested, in the way that reason asks for; a moderator reviews it again. Send the whole text, and the fields of its type. Costs nothing of the daily limit, at most ${limits.newTextsPerContribution} times a contribution. Needs a token.`,
    operation: reviseContribution,
    annotations: hints({ destructive: true, idempotent: true, openWorld: true }),
  },
  {
    name: 'withdraw_contribution',
    title: 'Take a contribution back',
    description: 'Withdraws a contribution that still waits, for review or for a new text. Needs a token.',
    operation: withdrawContribution,
    annotations: ends,
  },
];

function hints(known: { readOnly?: true; destructive?: true; idempotent?: true; openWorld?: true }): Annotations {
  return {
    readOnlyHint: known.readOnly === true,
    destructiveHint: known.destructive === true,
    idempotentHint: known.idempotent === true,
    openWorldHint: known.openWorld === true,
  };
}
