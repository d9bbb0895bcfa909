import type { MailDraft } from './blocks.js';
import type { MailContent } from './message.js';
import { renderHtml } from './render-html.js';
import { renderText } from './render-text.js';

/** Both parts of a mail, which say the same. */
export function renderMail(draft: MailDraft): MailContent {
  return { subject: draft.subject, text: renderText(draft), html: renderHtml(draft) };
}
