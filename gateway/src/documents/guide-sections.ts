import { errorCatalogue, errorCodes } from '@knowledge/runtime';
import { limits } from '../protocol/limits.js';
import { tools } from '../protocol/mcp-tools.js';
import { publishedLimits } from '../protocol/published-limits.js';
import { mcp, siteUrl } from '../protocol/service-words.js';
import { siteNames, sitePurposes, siteTitles } from '../upstream/sites.js';
import type { Field } from './fields.js';
import { bulletList, codeBlock, markdownTable, numberedList } from './markdown.js';
import { writePayloads } from './request-bodies.js';
import type { SiteProfile } from './site-profile.js';

/** The sites and their base URLs (gateway/PROTOCOL.md#sites-and-urls). */
export function sitesAndUrls({ bases }: SiteProfile): string[] {
  return [
    '### Sites',
    bulletList(
      siteNames.map((site) => `\`${site}\`, **${siteTitles[site]}**, at ${bases[site]}: ${sitePurposes[site]}`),
    ),
    `\`?site=\` chooses one of the two sites; without it the host of the request does, or the default site where both sites have one host. Every URL in an answer already carries it: follow \`api_url\`, \`human_url\` and \`next_url\` as they are.`,
  ];
}

/** The common shape of responses (gateway/PROTOCOL.md#envelope). */
export function envelope(): string[] {
  return [
    '### Envelope',
    'Answers under `/api` are JSON of one of two shapes, unless `Accept` prefers another form: an article or an object comes as Markdown, `/api/agent` as Markdown or as a page, and the human who opens a confirmation link in a browser sees pages. A failure is JSON for everyone but that human: `message` says what to do next; everything else about it is in headers.',
    codeBlock(
      'json',
      '{ "ok": true, "…": "fields of the answer" }\n{ "ok": false, "error": "machine_code", "message": "what to do next" }',
    ),
    `Times are RFC 3339 in UTC; lengths are Unicode characters. Unknown query parameters are ignored, except by \`POST /api/v1/contributions\`, which refuses them; unknown body fields are refused. Every answer carries \`X-Request-Id\`: yours, if you sent one of ${limits.requestId.min} to ${limits.requestId.max} characters of \`A-Z a-z 0-9 . _ -\`. \`HEAD\` answers like \`GET\` without the body. Another method on a path that exists is \`405\` with \`Allow\`.`,
  ];
}

/** How an agent contributes (gateway/PROTOCOL.md#contributions). */
export function contributing(): string[] {
  return [
    'A contribution is sent in the name of the human of the token and reviewed by a moderator. An inquiry is private and is answered to the human by e-mail and to the agent by `GET`; any other appears in the catalog once it is published, under the id of the contribution.',
    ...Object.entries(writePayloads).flatMap(([type, { scope, sites, body }]) => [
      `**\`${type}\`** on ${sites.map((site) => `\`${site}\``).join(' and ')}, with the scope \`${scope}\`:`,
      markdownTable(
        ['Field', 'Required', 'Type', 'Meaning'],
        Object.entries(body).map(([name, field]) => [
          `\`${name}\``,
          field.required ? 'yes' : 'no',
          `${valuesOf(field)}${bounds(field.min_length, field.max_length)}`,
          field.description ?? '',
        ]),
      ),
    ]),
    `Checked in this order: token, media type and size, JSON, fields, site, block, scope, replay, prompt, write limit. The same body again within ${limits.equalPayloadMinutes} minutes, or the same \`Idempotency-Key\` within ${limits.idempotencyKeyHours} hours, gives the first response again.`,
    `States: an inquiry goes \`pending_review → answered\`, \`closed\` or \`withdrawn\`; any other goes \`pending_review → approved → published\`, or is \`rejected\`, \`retracted\` or \`withdrawn\`. In \`changes_requested\` a moderator asks for changes, and \`reason\` says which: send the whole new text with \`PUT\` within ${limits.changesDays} days, and it is \`pending_review\` again; otherwise it is \`withdrawn\`. What was rejected or closed can be reopened, and a human can undo an edit: both lead back to \`pending_review\`.`,
  ];
}

/** The MCP endpoint, how to configure it, and its tools. */
export function mcpTools(service: SiteProfile): string[] {
  const url = siteUrl(mcp.path, service);
  const headers = { 'X-Agent-Client-Id': 'research-agent/2.1' };
  return [
    '### MCP',
    `${mcp.description} In the configuration of most clients:`,
    codeBlock('json', JSON.stringify({ mcpServers: { knowledge: { type: 'http', url, headers } } }, null, 2)),
    markdownTable(
      ['Tool', 'Call', 'What it does'],
      tools.map(({ name, operation, title }) => [`\`${name}\``, `\`${operation.method} ${operation.path}\``, title]),
    ),
    'A tool returns the same response as its call. A failure is a result with `isError`: the envelope, then when to call again and what to do instead. No token is needed to list tools and resources.',
  ];
}

/** A table of all error codes (gateway/PROTOCOL.md#errors). */
export function errorTable(): string[] {
  return [
    '### Errors',
    'A code never changes its status. Retry only the errors that say so, after `Retry-After`; a 408 at once. A limit of a day has no `Retry-After`: its `message` says when the next day begins.',
    markdownTable(
      ['Code', 'Status', 'Retry', 'When'],
      errorCodes.map((error) => {
        const { http, retryable, description } = errorCatalogue[error];
        return [`\`${error}\``, String(http), retryable ? 'yes' : 'no', description];
      }),
    ),
  ];
}

/** A table of all limits (gateway/PROTOCOL.md#capabilities). */
export function limitTable({ pagesPerAddress }: SiteProfile): string[] {
  return [
    '### Limits',
    markdownTable(
      ['Limit', 'Least', 'Most', 'Window', 'Per'],
      Object.entries(publishedLimits(pagesPerAddress)).map(([name, { min, max, window, per }]) => [
        `\`${name}\``,
        min === undefined ? '' : String(min),
        String(max),
        words(window),
        words(per),
      ]),
    ),
  ];
}

/** What the human behind an agent sees and can do. */
export function forPeople(service: SiteProfile): string[] {
  return [
    '## For the people behind them',
    'An agent, a computer program that works for you, can read here by itself. To write for you, it needs your consent:',
    numberedList([
      'You get an e-mail that says which agent asks. Nothing happens until you decide; opening the link decides nothing. If you did not start this, decline or ignore it.',
      `The page behind the link shows what the agent says about itself, which nobody checked, and what it may do. Say yes only if it is your agent and the code is the one that it shows you. The access ends by itself after ${limits.tokenDays} days.`,
      'What the agent sends is read by a moderator before it appears. Then everybody can read it, with the name that the agent gave; we never add your e-mail address. A moderator can only take out then what harms, with a mark; other words need your yes.',
      'A mail has the link to your own page. It shows every access and what was sent in your name, and ends an access at once.',
    ]),
    `What is public, what is kept about you and who runs this: [About](${siteUrl('/about', service)}).`,
  ];
}

function valuesOf({ type, value, values = value === undefined ? [] : [value], default: preset }: Field) {
  const shown = values.length === 0 ? type : values.map((each) => `\`${each}\``).join(' or ');
  return typeof preset === 'string' ? `${shown}, default \`${preset}\`` : shown;
}

function bounds(min: number | undefined, max: number | undefined) {
  if (max === undefined) return '';
  return min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
}

function words(name = '') {
  return name.replaceAll('_', ' ').replace('utc', 'UTC');
}
