import { recordedTrace } from '@knowledge/runtime/telemetry';

export type MailPurpose = 'confirmation' | 'welcome' | 'issued' | 'ended' | 'link' | 'blocked';

/** A mail in the outbox of a document. The text is composed only when the mail is sent. */
export interface Mail {
  id: string;
  purpose: MailPurpose;
  state: 'pending' | 'sent' | 'refused' | 'cancelled';
  attempts: number;
  recordedAt: Date;
  dueAt: Date;
  sentAt: Date | null;
  /** The trace of the request that caused the mail, if that trace is recorded. */
  traceparent?: string;
}

/** Makes a mail that is due at once. */
export function newMail(id: string, purpose: MailPurpose, at: Date, traceparent?: string): Mail {
  const mail: Mail = { id, purpose, state: 'pending', attempts: 0, recordedAt: at, dueAt: at, sentAt: null };
  const recorded = recordedTrace(traceparent);
  return recorded === undefined ? mail : { ...mail, traceparent: recorded };
}
