import { mcp } from '../protocol/mcp.js';
import { allOperations } from '../protocol/operations.js';
import { agentEntryDocument } from './agent-entry.js';
import { bulletList, codeBlock, markdownTable, numberedList } from './markdown.js';
import type { SiteProfile } from './site-profile.js';

/** The agent entry as Markdown, with the facts of its JSON, short enough for a model's context. */
export function agentEntryText(service: SiteProfile): string {
  const entry = agentEntryDocument(service);
  return [
    `# ${entry.name}: where an agent begins`,
    `${entry.description} This is about the site \`${entry.site}\`; \`?site=\` chooses. Paths follow \`${entry.base_url}\`; for MCP clients: \`${mcp.path}\`.`,
    `> ${entry.content_policy}`,
    bulletList(Object.entries(entry.site_purposes).map(([site, purpose]) => `\`${site}\`: ${purpose}`)),
    '## Steps',
    numberedList(entry.quick_start),
    `Free: ${entry.limits.free}. An article costs one of ${entry.limits.article_reads_per_utc_day.anonymous} reads a UTC day, of ${entry.limits.article_reads_per_utc_day.verified_email} with a token.`,
    '## Calls',
    markdownTable(
      ['Call', 'What it does'],
      allOperations
        .filter(({ endpoint }) => endpoint !== undefined)
        .map(({ method, path, summary, auth }) => [
          `\`${method} ${path}\``,
          auth === 'bearer' ? `${summary}; needs a token` : summary,
        ]),
    ),
    '## Bodies',
    codeBlock('json', bodiesOf(entry.bodies)),
    '## More',
    bulletList(Object.entries(entry.documentation).map(([name, url]) => `${name}: \`${url}\``)),
  ].join('\n\n');
}

// Writes each body on a line of its own.
function bodiesOf(bodies: Readonly<Record<string, object>>): string {
  const lines = Object.entries(bodies).map(([call, body]) => `  ${JSON.stringify(call)}: ${JSON.stringify(body)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
