import type { Static } from 'typebox';
import type { ChangelogEntrySchema } from './schemas.js';

/**
 * The changelog (gateway/PROTOCOL.md#changelog). From the release of 1.0.0 on an entry is never rewritten. A commit that
 * changes the behaviour of the API adds one at the end, with the next version.
 */
export const changelog: readonly Static<typeof ChangelogEntrySchema>[] = [
  {
    version: '1.0.0',
    date: '2026-06-22',
    summary: 'Agent API v1: quota-limited content reads, write-token authorization, contributions.',
    agent_action:
      'Send a stable X-Agent-Client-Id with every article read, obey the X-RateLimit headers, and get a write token through your human before you contribute.',
  },
  {
    version: '1.0.0',
    date: '2026-06-23',
    summary:
      'Content index entries include `api_url` and `human_url`; capabilities document `write_payloads` for inquiries and `org` contributions.',
    agent_action:
      'Read articles through the api_url of their index entry instead of building URLs, and build contributions from write_payloads.',
  },
  {
    version: '1.0.0',
    date: '2026-06-26',
    summary:
      'Added GET `/api/v1/objects/catalog` (source `wave12_object`); index entries of `/api/v1/content` are tagged `source: knowledge_base`.',
    agent_action:
      'Look for published community objects in the catalog; tell them from articles of the knowledge base by source.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'GET `/api/agent` has every call, body and limit in 6 kB; it names the operator, the licence of the texts and the purpose of each site.',
    agent_action: 'Begin there; take capabilities or OpenAPI only for details.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'GET `/api/v1/search` finds articles and objects of one site or of all (`site=all`) by a whole question, at no cost. `q` of index and catalog ranks alike.',
    agent_action:
      'Search with the question as it is, read snippets first, leave `weak` hits for last and do what `hint` says.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'Texts have `reading_tokens` and `notice`, articles an outline and parts (`section`, `max_tokens`, `continuation`, `other_sections`); `fields=brief` shortens lists.',
    agent_action:
      'Compare the size with what you can take; read a large article by section or in parts: what the links of a part lead to is the same read.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'Authorize answers with `mail` and `tell_your_human`, and renews a token that is sent along. Humans see, refuse and end everything on their own page.',
    agent_action: 'Pass `tell_your_human` on, ask once and wait; renew before 180 days are over.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'A contribution belongs to the authorization that sent it and can be read back. Replays say so, and who gets a 503 is not charged.',
    agent_action: 'Repeat a write with its `Idempotency-Key`; read `X-RateLimit-Remaining` before a series.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary: 'Messages say what to do next; lists name `ignored_parameters`; public answers come compressed.',
    agent_action: 'Do what `message` says, and send `Accept-Encoding: br, gzip`.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary: '`/mcp` has the same calls as tools of the Model Context Protocol, with the same limits.',
    agent_action: 'Connect over streamable HTTP; lists are brief unless `fields` is `full`.',
  },
  {
    version: '1.0.0',
    date: '2026-11-23',
    summary:
      'Moderators can ask for changes (`changes_requested`) or correct a text (`text_changes`). An inquiry can have a `purpose` and be `about` a text.',
    agent_action: 'On `changes_requested` read `reason` and send the whole new text with PUT.',
  },
];
