import { recordedTrace } from '@knowledge/runtime/telemetry';

/** What mails tell of. */
export type MailPurpose = 'confirmation' | 'welcome' | 'issued' | 'ended' | 'link';

/** A mail as it is kept with the request that it tells of, in the form of the outbox; what it says is composed when it is sent. */
export interface Mail {
  id: string;
  purpose: MailPurpose;
  state: 'pending' | 'sent' | 'refused' | 'cancelled';
  attempts: number;
  recordedAt: Date;
  dueAt: Date;
  sentAt: Date | null;
  /** The trace of the request that caused it; only where that is recorded. */
  traceparent?: string;
}

/** A mail to be recorded with the change that needs it, due at once. */
export function newMail(id: string, purpose: MailPurpose, at: Date, traceparent?: string): Mail {
  const mail: Mail = { id, purpose, state: 'pending', attempts: 0, recordedAt: at, dueAt: at, sentAt: null };
  const recorded = recordedTrace(traceparent);
  return recorded === undefined ? mail : { ...mail, traceparent: recorded };
}
