import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { day } from '../dates.js';
import { type Html, html } from '../html.js';
import { blockForm } from './block-form.js';
import type { ConsentPage } from './consent-layout.js';
import { grantsPart } from './grants-part.js';
import { sentEntry } from './sent-entry.js';
import { withdrawnWords } from './withdrawn-words.js';

/** What a human's own page shows. */
export interface Access extends GetAccessResponse {
  readonly key: string;
  /** Sent in their name, newest first; undefined where it cannot be asked now. */
  readonly contributions: readonly Contribution[] | undefined;
  readonly objectBase: string;
  /** What the human has just done here. */
  readonly done?: Done | undefined;
}

/** An ending that is told where it was asked for. */
export interface Done {
  /** The id of what ended; empty for everything. */
  readonly id: string;
  readonly withdrawn: number | undefined;
}

/** What agents may do in a human's name and what they sent, each with what stops it (protocol.md section 5.5). */
export function accessPage(access: Access): ConsentPage {
  const { key, email, done } = access;
  return {
    title: 'What agents may do in your name',
    body: html`${done && doneNote(done, access)}<p>This page belongs to <strong>${email}</strong>. Keep its link to yourself: whoever has it can see and stop what is here.</p>
${grantsPart(key, access)}<h2>Sent in your name</h2>
${sentPart(access)}
<h2>Requests of agents</h2>
${requestsPart(access)}`,
  };
}

function doneNote({ id, withdrawn }: Done, { tokens, authorizations }: Access): Html {
  const token = tokens.find((each) => each.id === id);
  const name = (token ?? authorizations.find((each) => each.id === id))?.agentName;
  const who = id === '' ? 'No agent' : name === undefined ? 'It' : html`<strong>${name}</strong>`;
  const verb = id === '' ? 'can act for you any more' : 'can no longer act for you';
  return html`<p class="done" role="status" tabindex="-1" autofocus><strong>✓ Stopped.</strong> ${who} ${verb}. ${withdrawnWords(withdrawn)}We confirm it by mail.</p>
`;
}

function sentPart({ contributions, objectBase }: Access): Html {
  if (contributions === undefined) {
    return html`<p>This list cannot be shown right now. Please load the page again in a minute.</p>`;
  }
  if (contributions.length === 0) return html`<p class="soft">Nothing so far.</p>`;
  return html`<ul class="entries">\n${contributions.map((each) => html`<li>${sentEntry(each, objectBase)}</li>\n`)}</ul>`;
}

function requestsPart({ key, requestsRefused, requestsRefusedUntil }: Access): Html {
  if (!requestsRefused) return blockForm({ key });
  const until = requestsRefusedUntil === undefined ? 'for ever' : html`until ${day(requestsRefusedUntil)}`;
  return html`<p>Agents may not ask this address, ${until}.</p>
<form method="post" action="access/block?key=${encodeURIComponent(key)}"><button name="days" value="none">Let agents ask again</button></form>`;
}
