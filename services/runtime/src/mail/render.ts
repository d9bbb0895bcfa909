import type { Operator } from '../operator/operator.js';
import type { MailDraft, MailText } from './blocks.js';
import type { MailBody, MailContent } from './message.js';
import { renderHtml } from './render-html.js';
import { renderText } from './render-text.js';

/** Renders a mail as text and as HTML with the same content. Its subject is its heading. */
export function renderMail({ blocks, ...rest }: MailDraft): MailContent {
  const draft: MailDraft = { ...rest, blocks: [{ kind: 'heading', text: rest.subject }, ...blocks] };
  return {
    ...partsOfMail(draft),
    signedBy: (operator) => partsOfMail({ ...draft, footer: [...draft.footer, ...signature(operator)] }),
  };
}

function partsOfMail(draft: MailDraft): MailBody {
  return { subject: draft.subject, text: renderText(draft), html: renderHtml(draft) };
}

function signature({ name, contact, privacyUrl, imprintUrl }: Operator): MailText[] {
  return [
    [`Run by ${name}. Questions? Write to `, { link: contact.text, url: contact.url }],
    [{ link: 'Privacy', url: privacyUrl }],
    ...(imprintUrl === undefined ? [] : [[{ link: 'Imprint', url: imprintUrl }]]),
  ];
}
