import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Html } from '@knowledge/runtime/html';
import { blockedNote, blockPart } from './block.js';
import type { ConsentPage } from './consent-layout.js';
import { type CompletedAction, doneNote } from './done-note.js';
import { grantsPart } from './grants-part.js';
import { newLinkForm } from './link-page.js';
import { type SentContext, type SentList, sentPart } from './sent-part.js';

/** What the access page shows. `sent` and `eachReceipt` are undefined if the contributions service is unavailable. */
export interface AccessView extends GetAccessResponse, SentContext {
  readonly sent: SentList | undefined;
  /** Whether the human gets a mail for each text. */
  readonly eachReceipt: boolean | undefined;
  readonly done: CompletedAction;
}

/** The page with a human's agents and their contributions, each with a button that stops it. */
export function accessPage(access: AccessView): ConsentPage {
  const { key, email, sent, eachReceipt, done } = access;
  return {
    title: 'What agents may do in your name',
    body: (
      <>
        {doneNote(done, access)}
        <p>
          This page belongs to <strong>{email}</strong>. Keep its link to yourself: whoever has it can see and stop what
          is here.
        </p>
        {access.blocked && blockedNote(access)}
        {grantsPart(key, access)}
        {sentPart(sent, access)}
        {eachReceipt !== undefined && mailChoiceForm(key, eachReceipt)}
        {blockPart(access)}
        {newLinkForm(key)}
      </>
    ),
  };
}

/** The form that chooses the mails about new contributions. */
function mailChoiceForm(key: string, eachReceipt: boolean): Html {
  const choice = (value: string, label: string, chosen: boolean): Html => (
    <p>
      <label class="tick">
        <input type="radio" name="receipts" value={value} checked={chosen} /> {label}
      </label>
    </p>
  );
  return (
    <>
      <h2>Mails to you</h2>
      <form method="post" action={`access/mails?key=${encodeURIComponent(key)}`}>
        <fieldset>
          <legend>When an agent sends something in your name, mail me</legend>
          {choice('first', 'about the first text of each agent', !eachReceipt)}
          {choice('each', 'about each text', eachReceipt)}
        </fieldset>
        <p class="soft">What a moderator decides, we always mail you.</p>
        <p>
          <button>Save</button>
        </p>
      </form>
    </>
  );
}
