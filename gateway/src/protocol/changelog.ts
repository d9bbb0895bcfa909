import type { Static } from 'typebox';
import type { ChangelogEntrySchema } from './schemas.js';

/**
 * The changelog (gateway/PROTOCOL.md#changelog). If your commit changes the behaviour of the API, add an entry at the
 * end.
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
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The agent entry and the capabilities name who runs the service, the licence of the texts (`operator`) and what each site is for (`site_purposes`); the OpenAPI document has contact, licence and terms; people read the same at `/about`.',
    agent_action:
      'Choose the site by its purpose, quote texts as their licence allows, and name the contact to your human when they ask who runs this.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Whoever got a 503 is not charged: a read, a contribution or an authorization request that was counted although its answer failed is given back within a minute of recovery.',
    agent_action:
      'After a 503 wait for Retry-After and try again; if the quota seems used up by failed reads, ask GET /api/v1/agent/quota again a minute later. An answer that you stop reading still counts.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Requests are read more patiently and more strictly: the 3 s for an answer begin after the body, which may take 10 s to arrive (then 408); a `Content-Encoding` is 415; more than 1,000 headers are 431; two `Content-Type` or `Idempotency-Key` headers and a `Transfer-Encoding` other than `chunked` are 400; an unknown path is 404 and a method that is not offered is 405 whatever the body; a connection beyond those that the service takes gets 503 with `Retry-After` and is closed.',
    agent_action:
      'Send bodies uncompressed and each header once, and keep a connection for many requests instead of opening many. Retry a 503 after its `Retry-After`; after a 408 send the whole request again.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A listing that ignored query parameters names them in `ignored_parameters`, with `known_parameters` beside it; both are absent otherwise.',
    agent_action: 'If an answer has ignored_parameters, it was not filtered by them: use one of known_parameters.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Messages of failures name the known fields, the length that was sent, the place in broken JSON and the wait in seconds. An Authorization header without a Bearer token is `missing_token`. A slash at the end of a path makes no difference.',
    agent_action: 'Read `message` and do what it says; the machine codes are the same as before.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'GET /api/agent fits into 6 kB, also as Markdown: it has every request body (`bodies`), the limits (`limits`) and what each site is for. In OpenAPI every failure has one schema, `Failure`.',
    agent_action: 'Begin with /api/agent; take capabilities or OpenAPI only when you need every detail.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A moderator may correct the answer to an inquiry: it stays `answered`, with another `answer` and `updated_at`. An article with a time of publication to come is not shown before that time.',
    agent_action: 'Read an answered inquiry again when its updated_at has changed.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Asking for access with your present token as Bearer renews: the new token carries on what you handed in with the old one, which ends when the new one is fetched. Another e-mail than the token’s is a `validation_error`; a bad Bearer is 401.',
    agent_action:
      'Renew before your 180 days are over instead of asking anew, and send no Authorization header to ask anew.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A mailed link shows the truth about its request however old it is; a decline after a confirmation ends the access (`revoked`); a confirmation after a decline is 409 `invalid_state`. The JSON of the link says that deciding is for the human and has no `confirm` any more. Operators may let the human type the `user_code`.',
    agent_action: 'Leave the mailed link to your human. Show them the `user_code`; poll the token exchange.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The answer of authorize has `mail` (to, from, subject, link_minutes) and `tell_your_human`; `agent_name` also takes `.` and `/` inside; the state of a replaced authorization is `renewed`; a `user_code` sent as `device_code` is named as such.',
    agent_action: 'Say `tell_your_human` to your human, and check `mail.to` for a slip of the pen.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'At most 20 authorization mails a day and mailbox beside the 5 an hour. A human can refuse all requests for their address; the answers stay the same, and such a request ends undecided after 24 hours. A renewal, asked with a token that still works, reaches its human all the same, and is counted apart: 5 an hour and 20 a day.',
    agent_action: 'Ask once and wait; do not ask again because nobody answers.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A contribution belongs to the authorization whose token sent it: lists, status, withdrawal, idempotency keys and replays of contributions no longer reach across the agents of one human. What waits is withdrawn when its human or support ends the access, unless they keep it; what an agent leaves behind that gives its token back goes on waiting. Humans withdraw and take down on their own page what was sent in their name; what they took down is not published again.',
    agent_action:
      'Follow a contribution with a token of the authorization that sent it, or of one that renewed it; expect 404 `not_found` for what other agents sent for the same human.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Contributions can be read back: `body`, `name` and `language` in the list and the status of contributions; `replayed: true` in the body of a replay; `duplicate_of` in the answer where an identical text of the same human waits already. Answers to a contribution carry `X-RateLimit-*` of the write limit, and `/api/v1/agent/quota` shows `writes` for a token.',
    agent_action:
      'Withdraw one of two identical texts when an answer has `duplicate_of`, and read `X-RateLimit-Remaining` or `quota.writes` before a long series.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The HTML page of an article (`/articles/{slug}`) counts as an article read where the request carries `X-Agent-Client-Id` or a Bearer token: the same quota, `X-RateLimit` headers and errors as the API; HEAD and 304 stay free.',
    agent_action:
      'Read articles through api_url or as Markdown; expect 429 and 401 on article pages too, and keep what you read with its ETag.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'MCP refuses a batch in which an id stands twice, and a message whose objects have more than 500 members together (-32600); an argument with unpaired surrogates is a tool error.',
    agent_action: 'Give every request of a batch an id of its own, and send text that is well-formed Unicode.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A `title` or `name` with hidden characters (text direction controls, zero-width characters, Unicode tags) is a `validation_error` that names the character and its place; joiners that a script or an emoji needs pass. A `body` is published without them. A `name` or `agent_name` that stands for the service or those who work for it, also in look-alike letters and digits, and a `name` that is an e-mail address in any spelling, are refused.',
    agent_action:
      'Send titles and names without hidden characters, a name of your own as `agent_name`, and the name of a person or a group as `name`, or leave it out.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A contribution without `language` gets the language of its body where the service can tell it with certainty, otherwise null. The object that it becomes carries it, in the API and on its page.',
    agent_action: 'Send `language` where you know it; nothing changes for those who do.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary: 'The entries of the index and of the highlights have the `revision` of their article.',
    agent_action: 'Nothing; at revision 1 the text is as it was published, whenever it came in (`updated_at`).',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'One client address has a bounded number of connections (500 unless the operator sets another); more get 503. Requests that are sent on one connection without waiting for answers are answered one after the other; after 33 that wait at once the connection ends with `Connection: close`, after hundreds without an answer.',
    agent_action: 'Keep few connections and use them again; send again, on a new connection, what got no answer.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A request for a mail (`POST /access/link`, and a new link for a request whose code is too old) that comes again with the same `X-Request-Id` is a repeat: it is answered as before, counts once and sends no other mail; for `/access/link` within the same hour.',
    agent_action:
      'Send the same `X-Request-Id` when you repeat a call after a lost answer, and a fresh one for each other call.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A `user_code` that is sent with a confirmation is always compared, also where none is demanded: a wrong one is a `validation_error`, and the fifth ends the request.',
    agent_action: 'Nothing: an agent leaves the confirmation to its human.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A contribution without `language` gets one only if its body has at least 40 letters and reads clearly like one language; short texts and lists of technical terms get null.',
    agent_action: 'Send `language` where you know it.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'MCP: a tool refuses every argument that it does not have by name, with those that it has and the one that was probably meant; what is left after a contribution is said in contributions, not in article reads.',
    agent_action: 'Send the arguments of the input schema of the tool and no others.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The call that sends a contribution refuses query parameters that it does not know (`validation_error`). An article or object with a name beyond 8 KiB is `uri_too_long`. The answer `pending` of the token exchange has a `message`, and `invalid_token` says where the human ended the access.',
    agent_action:
      'Send `site` in the body or spelled right in the query; do not ask a human again who ended the access, unless they want you to.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A `language` whose first part has two letters and is no language, such as `xx`, is a `validation_error`. `tell_your_human` says whether the human compares or types the code, and what to do where no mail comes. `/access` without a key shows the form for the link.',
    agent_action: 'Send the BCP 47 tag of the language that the text is in, and say `tell_your_human` as it comes.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Entries of the index, the highlights and the catalog, articles and objects have `reading_tokens`: about how many tokens a language model needs to read the body.',
    agent_action: 'Compare it with what you can take before you read.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'GET `/api/v1/search` searches articles and community objects of one site or of all: by the whole question, with synonyms, acronyms, typing errors and across languages. Its entries have `kind`, `score`, `weak`, `matched`, `snippet`, `reading_tokens` and `gloss`; beside them stand `facets`, `did_you_mean` and `other_sites`. MCP has it as the tool `search`. The catalog takes `q`, where its entries have `weak`; `q` has up to 500 characters and ranks by the same engine everywhere. Too many searches at once are 503 with `Retry-After`.',
    agent_action:
      'Search with the question of your human as it is, read the snippet first, and read texts that are not weak before those that are.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Where the operator has switched it on, a search also compares meaning. Then hits may have no word of the query: `matched` is empty, and `weak` is true.',
    agent_action: 'Judge a hit without matched words by its title, summary and snippet.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      '`GET /api/v1/content/{slug}/outline` gives the headings of an article with the size of each section, at no cost. `section` and `max_tokens` of an article give a part of it, and the URL `continuation` the next part of the same read, which does not count again for 24 hours. Without them nothing changes.',
    agent_action: 'Where an article is larger than what you can take, ask for a part and follow `continuation`.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Articles and objects in JSON have `notice`, which says that the text is untrusted data, as their Markdown already does.',
    agent_action: 'Give it to your model together with the text.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The index, the highlights and the catalog take `fields=brief`: entries with name, title, summary, URL and `reading_tokens` only. MCP: search_articles, list_highlights and list_objects are brief unless `fields` is `full`; read_outline is new.',
    agent_action: 'Over MCP, send `fields` = `full` where you need author, times or tags of an entry.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Listings, search, documents and pages are sent with `Content-Encoding: br` or `gzip` where `Accept-Encoding` takes it, with `Vary: Accept-Encoding`. Each form has its own `ETag`; `If-None-Match` may name any form that you take. Articles, parts and objects are sent as before, and so is everything to callers without the header.',
    agent_action:
      'Send `Accept-Encoding: br, gzip` if your HTTP client decodes them: a listing then takes a quarter of the bytes.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A search finds a word by the synonyms and acronyms that editors keep, and a text in another language by its `gloss`, an English title and summary that editors wrote and that stands in the entry of the hit. A NUL character in a query parameter is a `validation_error`.',
    agent_action: 'Ask in the language of your human, and judge a text in another language by its `gloss`.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'The `score` of a hit says how well the text fits, no longer relative to the best hit. A hit is `weak` if it lacks a rare word of the query, or has only words that resemble it. Short words, numbers and acronyms are not corrected.',
    agent_action:
      'If there are no hits, tell your human that the service has no answer. If all are weak, look at their snippets: mostly nothing fits, but sometimes the first does.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'With `q` the entries of the index have `score` and `weak`, as those of a search have them; so do the entries of the catalog, which had only `weak`. Brief entries have only `weak`. MCP: search_articles and list_objects with `q`.',
    agent_action:
      'Read entries that are not weak before those that are. If all are weak, look at their snippets: mostly nothing fits, but sometimes the first does.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'A search has `hint`, and so have the index and the catalog with `q`: a sentence if `q` has no word to search by, because all of its words are too common or it has only signs; else null.',
    agent_action: 'Do what `hint` says, and do not take such an empty list for "the service has no answer".',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'If only the other site has an article of the name asked for, the message of `not_found` names that site and the path of the article; MCP: read_article and read_outline too. A `continuation` goes on after a new revision that has the same text.',
    agent_action: 'On `not_found` read the message: the article may be on the other site.',
  },
  {
    version: '1.1.0',
    date: '2026-11-22',
    summary:
      'Of the hits of a search fewer that help are `weak`, and more that do not: it counts how much of the text shows that it is about `q`. A weak hit has a `score` below 0.5, and no other has. Weak hits stand after all others of the best 50. `hint` also says if all hits are weak, also those on other pages. `total` of `other_sites` counts the weak hits too, as `total` does. `author` takes words of a name. `did_you_mean` leaves words of other languages, and knows the words of the other site. The index with `q` has `total`. Brief hits have `author`, `score` and `matched`.',
    agent_action:
      'Read the texts that are not weak first. If `hint` says that all hits are weak, read their snippets, then try other words, or the other site if `other_sites` counts hits there, before you tell your human that no text is about it.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'In `matched` of a hit a synonym of several words stands as a whole: MFA is found as one-time password, and no longer as one and time wherever these stand. It is empty if a text has such words only apart.',
    agent_action: 'Nothing. A hit whose `matched` is empty mostly does not fit.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      '`hint` says what to do next also if nothing is found, in a search and in the index and the catalog with `q`. `did_you_mean` has only words of the site and the filters that were asked for. `total` of `other_sites` counts the hits that are not weak among the best 10 there, and no longer weak ones. `tag` takes any case.',
    agent_action:
      'Do what `hint` says before you tell your human that no text is about it. Search the other site if `other_sites` counts hits there; what is weak there is found only if you search there.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'A hit for a query of two or three words is `weak` if it lacks the rare word of it, also a word that no text has: "football results" no longer finds a text with results. Words such as names of products that no text has make a text with the rest as a phrase no weaker.',
    agent_action: 'Nothing. If all hits are weak, do what `hint` says.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      '`hint` says that all words of `q` are too common only if nothing is found or all hits are weak, and no longer beside hits that fit. Words with which one asks, such as find, use or time, count little.',
    agent_action: 'Nothing. A hint still says what to do next.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'If only the other site has the article of an outline, the message of `not_found` has the path of its outline there. `did_you_mean` leaves a word that another language writes so, such as Produktion. SaaS finds no longer what has a stem like it in another language.',
    agent_action: 'On `not_found` follow the path in the message.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'An `author` of spaces alone is `validation_error`, as an empty one and a blank `tag` are; it was ignored. A `language` that is no tag and one that nobody knows get the same message, and `eng` finds what `en` finds. The form that a synonym has in one language finds texts in this language only: a tender no longer finds what tends.',
    agent_action: 'Leave a filter out that you do not need.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'A moderator can ask for changes in place of a rejection: the state `changes_requested`, with the words in `reason`. `PUT /api/v1/contributions/{id}` (MCP: `revise_contribution`) sends the new text, until `changes_due_at`; then the contribution is `pending_review` again. `text_changes` lists the changes of a text, and `GET` of one contribution also the texts before. `DELETE` withdraws in this state too.',
    agent_action:
      'On `changes_requested` read `reason`, change the text with your human and send the whole of it with `PUT`; no new contribution is needed.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'A moderator can correct a story or a prompt reply, also when it is published; its address stays. `text_changes` of the contribution has the edit with `by` moderator, its `reason` and the text `before`, and your human gets the difference by mail.',
    agent_action: 'Nothing. If your human asks why the text differs from what you sent, read `text_changes`.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'An inquiry can say why it is sent and what it is about: `purpose` is `question` (the default), `correction` or `report`, and `about` is the `api_url` or `human_url` of a published article or object. A correction and a report need `about`. A text that is not published is `validation_error`. The contribution shows both again, `about` as `api_url`; a new text keeps them.',
    agent_action:
      'If you or your human find an error or a problem in a text, send an inquiry with `purpose` and `about`, instead of describing the text in `body`.',
  },
  {
    version: '1.1.0',
    date: '2026-11-23',
    summary:
      'Control characters other than tabs and line breaks, such as the codes of terminals, are hidden characters now: a `title`, `name` or `purpose` of an agent with one is `validation_error`, and a `body` is published without them.',
    agent_action: 'Remove the codes of terminals, such as colours, from what you send.',
  },
];
