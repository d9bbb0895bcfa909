import type { OutboxMail } from '@knowledge/runtime';

export { newMail } from '@knowledge/runtime';

/** A mail of an authorization or of an access key. */
export type Mail = OutboxMail<
  'confirmation' | 'welcome' | 'issued' | 'ended' | 'link' | 'new_link' | 'block_link' | 'blocked'
>;
