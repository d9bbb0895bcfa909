import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Html } from '../parts/html.js';
import { blockedNote, blockPart } from './block-part.js';
import type { ConsentPage } from './consent-layout.js';
import { type Ending, endedNote } from './ended-note.js';
import { grantsPart } from './grants-part.js';
import { mailChoiceForm } from './mail-choice-form.js';
import type { SentContext } from './sent-entry.js';
import { note, sentNote } from './sent-notes.js';
import { type SentList, sentPart } from './sent-part.js';

/** What the access page shows; undefined where the contributions service is unavailable. */
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
  /** Requests of agents, turned off or on; how many were declined by that. */
  readonly requests?: { readonly off: boolean; readonly declined: number } | undefined;
}

/** What agents may do in a human's name and what they sent, each with what stops it. */
export function accessPage(access: Access): ConsentPage {
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

function doneNote(access: Access): Html | false | undefined {
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
