import { type MailContent, renderMail } from '@knowledge/runtime/mail';
import { rules } from '@knowledge/runtime/product';

/** The mail with an access link, which somebody requested for this address. */
export function linkMail(link: string): MailContent {
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
      { kind: 'button', label: 'Open your own page', url: link },
      {
        kind: 'paragraph',
        text: [
          { strong: 'It was not you? ' },
          'Then do nothing: nobody but you got this link, and nothing has changed.',
        ],
      },
      {
        kind: 'note',
        text: `The link works for ${rules.tokenDays} days. Keep it to yourself: whoever has it can see and stop what agents do in your name.`,
      },
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because your address was given for a link to its own page.',
    ],
  });
}
