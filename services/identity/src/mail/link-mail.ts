import { linkNote, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { OwnLink } from './access-mail.js';

/** The mail with an access link, which somebody requested for this address. `onlyOne`: all earlier links were ended. */
export function linkMail(link: OwnLink, onlyOne = false): MailContent {
  const subject = 'The link to your own page';
  return renderMail({
    subject,
    preview: 'It shows which agents can act for you and what was sent in your name.',
    blocks: [
      { kind: 'heading', text: subject },
      {
        kind: 'paragraph',
        text: `${onlyOne ? 'Your own page was used to make all earlier links useless: this is the only one now, but for requests that wait for your answer.' : 'Somebody, probably you, asked us to mail you this link.'} The page shows which agents can act for you and what was sent in your name, and stops both.`,
      },
      { kind: 'button', label: 'Open your own page', url: link.url },
      {
        kind: 'paragraph',
        text: [
          { strong: 'It was not you? ' },
          onlyOne
            ? 'Then somebody else had a link of yours, which is useless now. Look on your page at what was done.'
            : 'Then do nothing: nobody but you got this link, and nothing has changed.',
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
