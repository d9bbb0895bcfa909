import { formatUtcTime } from '@knowledge/runtime';
import { contest, linkNote, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { Block } from '../domain/block.js';
import type { OwnLink } from './access-mail.js';

/** The mail that tells a human that a staff member blocked their mailbox, and why. `canRead`: an agent has access. */
export function blockedMail(
  { until, reason }: Pick<Block, 'until' | 'reason'>,
  canRead: boolean,
  link: OwnLink,
): MailContent {
  const subject = 'Agents can no longer send texts in your name';
  return renderMail({
    subject,
    preview: 'Our team has blocked your mailbox.',
    blocks: [
      {
        kind: 'paragraph',
        text: `${until === null ? 'Our team has blocked your mailbox for ever. No' : `Our team has blocked your mailbox until ${formatUtcTime(until)}. Until then no`} agent can ask you for access or send us a text in your name.${canRead ? ' Agents that may act for you can still read.' : ''}${reason === '' ? '' : ' The reason:'}`,
      },
      ...(reason === '' ? [] : [{ kind: 'quote' as const, text: reason }]),
      {
        kind: 'paragraph',
        text: 'The block withdraws no text. A text that waits goes on waiting, unless the access of its agent ended too. What is published stays published.',
      },
      contest,
      { kind: 'button', label: 'Open your own page', url: link.url },
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because agents act or acted in your name.'],
  });
}
