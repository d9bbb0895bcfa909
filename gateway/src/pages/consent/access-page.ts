import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { day } from '../dates.js';
import { type Html, html } from '../html.js';
import { blockForm } from './block-form.js';
import type { ConsentPage } from './consent-layout.js';
import { grantsPart } from './grants-part.js';
import { mailChoiceForm } from './mail-choice-form.js';
import type { SentContext } from './sent-entry.js';
import { note, sentNote } from './sent-notes.js';
import { type SentList, sentPart } from './sent-part.js';
import { withdrawnWords } from './withdrawn-words.js';

/** What a human's own page shows; what the contributions service cannot say now is undefined. */
export interface Access extends GetAccessResponse, SentContext {
  readonly sent: SentList | undefined;
  /** Whether the human gets a mail for each text. */
  readonly eachReceipt: boolean | undefined;
  readonly done: Done;
}

/** What the human has just done here. */
export interface Done {
  /** An access, or all. */
  readonly ended?: Ending | undefined;
  /** A contribution that was stopped. */
  readonly changed?: Contribution | undefined;
  /** The choice of mails. */
  readonly saved?: boolean | undefined;
}

/** An ending that is told where it was asked for. */
export interface Ending {
  /** The id of what ended; empty for everything. */
  readonly id: string;
  readonly withdrawn: number | undefined;
}

/** What agents may do in a human's name and what they sent, each with what stops it (protocol.md section 5.5). */
export function accessPage(access: Access): ConsentPage {
  const { key, email, sent, eachReceipt } = access;
  return {
    title: 'What agents may do in your name',
    body: html`${doneNote(access)}<p>This page belongs to <strong>${email}</strong>. Keep its link to yourself: whoever has it can see and stop what is here.</p>
${grantsPart(key, access)}${sentPart(sent, access)}${eachReceipt !== undefined && mailChoiceForm(key, eachReceipt)}<h2>Requests of agents</h2>
${requestsPart(access)}`,
  };
}

function doneNote(access: Access): Html | false | undefined {
  const { ended, changed, saved } = access.done;
  if (ended !== undefined) return endedNote(ended, access);
  if (saved && access.eachReceipt !== undefined) {
    const which = access.eachReceipt ? 'each text' : 'the first text of each agent';
    return note(html`<strong>✓ Saved.</strong> We mail you about ${which}.`);
  }
  return sentNote(changed);
}

function endedNote({ id, withdrawn }: Ending, { tokens, authorizations }: Access): Html {
  const token = tokens.find((each) => each.id === id);
  const name = (token ?? authorizations.find((each) => each.id === id))?.agentName;
  const who = id === '' ? 'No agent' : name === undefined ? 'It' : html`<strong>${name}</strong>`;
  const verb = id === '' ? 'can act for you any more' : 'can no longer act for you';
  return note(html`<strong>✓ Stopped.</strong> ${who} ${verb}. ${withdrawnWords(withdrawn)}We confirm it by mail.`);
}

function requestsPart({ key, requestsRefused, requestsRefusedUntil }: Access): Html {
  if (!requestsRefused) return blockForm({ key });
  const until = requestsRefusedUntil === undefined ? 'for ever' : html`until ${day(requestsRefusedUntil)}`;
  return html`<p>Agents may not ask this address, ${until}.</p>
<form method="post" action="access/block?key=${encodeURIComponent(key)}"><button name="days" value="none">Let agents ask again</button></form>`;
}
