import { linkNote, type MailBlock, type MailContent, renderMail } from '@knowledge/runtime/mail';
import type { OwnLink } from './access-mail.js';

/**
 * The mail with an access link, which somebody requested for this address. After `new_link` all earlier links have ended.
 * With `block_link` nothing is known of the mailbox but a block.
 */
export function linkMail(link: OwnLink, purpose = 'link'): MailContent {
  const onlyOne = purpose === 'new_link';
  const subject = 'The link to your own page';
  return renderMail({
    subject,
    preview: 'It shows which agents can act for you and what was sent in your name.',
    blocks: [
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
      ...(purpose === 'block_link' ? noMore(link) : []),
      linkNote(link.until),
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because your address was given for a link to its own page.',
    ],
  });
}

function noMore({ url }: OwnLink): MailBlock[] {
  return [
    {
      kind: 'paragraph',
      text: 'Requests of agents to this address are turned off, so we mail this link once a week at most, however often somebody asks.',
    },
    { kind: 'button', label: 'No more of these mails', url: `${url}#links` },
  ];
}
