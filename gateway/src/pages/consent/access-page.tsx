import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Html } from '../parts/html.js';
import { blockedNote, blockPart } from './block-part.js';
import type { ConsentPage } from './consent-layout.js';
import { type EndedAccess, endedNote } from './ended-note.js';
import { grantsPart } from './grants-part.js';
import { mailChoiceForm } from './mail-choice-form.js';
import type { SentContext } from './sent-entry.js';
import { note, sentNote } from './sent-notes.js';
import { type SentList, sentPart } from './sent-part.js';

/** What the access page shows. Parts are undefined while the contributions service is unavailable. */
export interface AccessView extends GetAccessResponse, SentContext {
  readonly sent: SentList | undefined;
  /** Whether the human gets a mail for each text. */
  readonly eachReceipt: boolean | undefined;
  readonly done: CompletedAction;
}

/** What the human has just done on the page. */
export interface CompletedAction {
  /** The access that was ended, or all of them. */
  readonly ended?: EndedAccess | undefined;
  /** A contribution that was stopped. */
  readonly changed?: Contribution | undefined;
  /** Whether the choice of mails was saved. */
  readonly saved?: boolean | undefined;
  /** Whether requests were turned off, and how many that declined. */
  readonly requests?: { readonly off: boolean; readonly declined: number } | undefined;
}

/** The page with a human's agents and their contributions, each with a button that stops it. */
export function accessPage(access: AccessView): ConsentPage {
  const { key, email, sent, eachReceipt } = access;
  return {
    title: 'What agents may do in your name',
    body: (
      <>
        {doneNote(access)}
        <p>
          This page belongs to <strong>{email}</strong>. Keep its link to yourself: whoever has it can see and stop what
          is here.
        </p>
        {grantsPart(key, access)}
        {sentPart(sent, access)}
        {eachReceipt !== undefined && mailChoiceForm(key, eachReceipt)}
        {blockPart(access)}
      </>
    ),
  };
}

function doneNote(access: AccessView): Html | false | undefined {
  const { ended, changed, saved, requests } = access.done;
  if (ended !== undefined) return endedNote(ended, access);
  if (saved && access.eachReceipt !== undefined) {
    const which = access.eachReceipt ? 'each text' : 'the first text of each agent';
    return note(
      <>
        <strong>✓ Saved.</strong> We mail you about {which}.
      </>,
    );
  }
  if (requests !== undefined) return blockedNote(requests, access);
  return sentNote(changed);
}
