import type { Html } from '@knowledge/runtime/html';

const notices = {
  'token-ended': 'The token has ended. Its human gets a mail.',
  'request-cancelled': 'The request is cancelled; its mailed links stop working.',
  'requests-blocked':
    'Agents can no longer ask this mailbox or send texts in its name. Requests that waited are cancelled.',
  'requests-allowed': 'The block has ended.',
  'link-sent': 'A mail with the access link is on its way.',
  'mails-again': 'What you chose is tried again now. What nobody needs any more is not sent.',
  'limits-reset': 'The limits are unused again.',
  'erasure-asked': 'Nothing is erased yet: another staff member must confirm it within seven days.',
  'erasure-cancelled': 'The erasure is cancelled. Nothing was erased.',
  erased: 'The person is erased.',
} as const;

export type Notice = keyof typeof notices;

/** Says what the last form did; nothing for a word that is none of ours. */
export function noticeOf(done: string): Html | undefined {
  if (!Object.hasOwn(notices, done)) return undefined;
  return (
    <div class="notice" role="status">
      <p>{notices[done as Notice]}</p>
    </div>
  );
}
