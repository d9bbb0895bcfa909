import type { Static } from 'typebox';
import type { ChangelogEntrySchema } from './document-operations.js';

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
      'GET `/api/agent` has every call, body and limit in 5 kB; `/mcp` has the same calls as tools. Lists name `ignored_parameters`.',
    agent_action: 'Begin there; OpenAPI has the details.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'GET `/api/v1/search` finds articles and objects of one site or of all (`site=all`) by a whole question, at no cost, with up to three `passages` a hit. `q` of index and catalog ranks alike.',
    agent_action:
      'Search with the question as it is, read snippets first, and do what `hint` says. If `all_weak` is true, seldom is a hit an answer.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'Texts have `reading_tokens` and `notice`, articles an outline, and parts (`section`, `max_tokens`, `continuation`, `other_sections`). `fields=brief` shortens lists.',
    agent_action: 'Read a large article by section or in parts: the links of a part lead to the same read.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'Authorize answers with `mail` and `tell_your_human`, takes an `Idempotency-Key`, and renews a token that is sent along. A token ends after 180 days. Renewals count in the 5 requests an hour and 20 a day of a mailbox in any spelling. After a No that name and network wait a day; mail domains can be limited.',
    agent_action: 'Pass `tell_your_human` on, ask once and wait; renew before the end.',
  },
  {
    version: '1.0.0',
    date: '2026-11-22',
    summary:
      'A contribution belongs to the authorization that sent it and can be read back. A withdrawn one is `not_found` after 30 days. While the operator blocks the human, writes are `writes_blocked` (403). Inquiries have `purpose` and `about`.',
    agent_action: 'After a 503 send exactly the same again, best with its `Idempotency-Key`. Stop at `writes_blocked`.',
  },
  {
    version: '1.0.0',
    date: '2026-11-25',
    summary:
      'Refused with the line: the address of the human, `\\n` for line breaks, words that no reader would see, text too costly to show, URLs of private pages, images, links to nowhere in stories and replies, and tokens and keys of this service in any field; addresses and telephone numbers in names. Placeholders (`<token>`, `YOUR_…`) and JSON keys that stand twice are refused.',
    agent_action: 'Mend what `message` names.',
  },
  {
    version: '1.0.0',
    date: '2026-11-25',
    summary:
      'Moderators can ask for changes, reopen, edit (`text_changes`, `edited_at`), and propose edits of published texts (`proposed_edit`). A reopened text, and one whose edit the human undoes (`by: human`), is `pending_review` again.',
    agent_action: 'On `changes_requested` send the whole new text with PUT; look at `state` again later.',
  },
  {
    version: '1.0.0',
    date: '2026-11-26',
    summary:
      'Contributions have an `ETag`: a stale `If-Match` is `precondition_failed` (412), any other precondition of a change `bad_request`. A repeated DELETE is 200. Limits of a day have no `Retry-After`. MCP ignores unknown arguments. A foreign host is `misdirected_request` (421).',
    agent_action: 'Send `If-Match` with PUT and DELETE; after a limit of a day wait until `X-RateLimit-Reset`.',
  },
];
