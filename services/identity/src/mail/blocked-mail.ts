import { formatUtcTime } from '@knowledge/runtime';
import { linkNote, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { Block } from '../domain/block.js';
import type { OwnLink } from './access-mail.js';

/** The mail that tells a human that a staff member blocked their mailbox. The reason stays inside. */
export function blockedMail({ until }: Pick<Block, 'until'>, link: OwnLink): MailContent {
  const subject = 'Agents can no longer send texts in your name';
  return renderMail({
    subject,
    preview: 'Our team has blocked your mailbox.',
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: `Our team has blocked your mailbox ${until === null ? 'for ever' : `until ${formatUtcTime(until)}`}. Until then no agent can ask you for access or send us a text in your name. Agents that may act for you can still read.`,
      },
      { kind: 'paragraph', text: 'What waits for review goes on waiting, and what is published stays published.' },
      { kind: 'paragraph', text: [{ strong: 'You think that this is wrong? ' }, 'Please write to us.'] },
      { kind: 'button', label: 'Open your own page', url: link.url },
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because agents act or acted in your name.'],
  });
}
