import type { DecisionNotice } from '@knowledge/runtime/product';
import { shortId } from '../../ids.js';
import type { ContributionView } from '../../present/contribution.js';

/** The kinds of mail that a review sends to the human who contributed. */
export type MailKind = 'edited' | 'edit_proposed' | DecisionNotice;

const mailContents: Readonly<Record<MailKind, string>> = {
  changes_requested: 'that a moderator asks for changes',
  edited: 'about what was taken out of the published text',
  edit_proposed: 'with the edit that you propose',
  published: 'that it is published, with its link',
  retracted: 'that it was taken down',
  rejected: 'that it was not accepted',
  reopened: 'that it waits for a decision again',
  answered: 'with this answer',
  closed: 'that it was closed without an answer',
};

/** Describes the mail that a review will send: its receiver, its contribution and the moderator's text. */
export function previewMail(kind: MailKind, record: ContributionView, text: string): string {
  const what = `${record.type.replace('_', ' ')} ${shortId(record.id_at_revision)}, ${record.state}`;
  const mail = `${mailSentence(kind, record, text !== '')}${text === '' ? '.' : ':'}`;
  const quoted = text === '' ? [] : text.split('\n').map((line) => `  | ${line}`);
  return [`${what}: ${beginningOf(record)}`, mail, ...quoted].join('\n');
}

/** Says who gets which mail, without a full stop. */
export function mailSentence(kind: MailKind, { email, state }: ContributionView, hasText: boolean): string {
  const corrected = state === 'answered' ? ', which corrects the one before' : '';
  const how = kind === 'answered' ? corrected : hasText ? ', with this reason' : '';
  return `${email} gets a mail ${mailContents[kind]}${how}`;
}

function beginningOf({ title, body }: ContributionView): string {
  const text = (title ?? body).replace(/\s+/g, ' ').trim();
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
