import { linkNote, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { OwnLink } from './access-mail.js';

/** The mail with an access link, which somebody requested for this address. */
export function linkMail(link: OwnLink): MailContent {
  const subject = 'The link to your own page';
  return renderMail({
    subject,
    preview: 'It shows which agents can act for you and what was sent in your name.',
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: 'Somebody, probably you, asked us to mail you this link. The page shows which agents can act for you and what was sent in your name, and stops both.',
      },
      { kind: 'button', label: 'Open your own page', url: link.url },
      {
        kind: 'paragraph',
        text: [
          { strong: 'It was not you? ' },
          'Then do nothing: nobody but you got this link, and nothing has changed.',
        ],
      },
      linkNote(link.until),
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because your address was given for a link to its own page.',
    ],
  });
}
