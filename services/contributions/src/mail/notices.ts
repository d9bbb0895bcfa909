import { inUtc } from '@knowledge/runtime';
import { type MailBlock, type MailContent, type MailDraft, renderMail } from '@knowledge/runtime/mail';
import { catalogAuthor } from '../domain/catalog-object.js';
import type { Contribution, ContributionType, Notice } from '../domain/contribution.js';
import type { Site } from '../domain/site.js';
import { shorten } from '../domain/text.js';
import type { Transition } from '../domain/transition.js';
import { unlinked } from './unlinked.js';

/** The public base URL of each site, from configuration. */
export type PublicUrls = Readonly<Record<Site, string>>;

/** What each type is called when its human is addressed. */
const nouns: Readonly<Record<ContributionType, string>> = {
  inquiry: 'inquiry',
  story: 'story',
  prompt_reply: 'reply',
};

/** The mail that tells a human what became of a contribution. `transition` is the one that it tells of. */
export function composeNotice(
  notice: Notice,
  contribution: Contribution,
  transition: Transition | undefined,
  urls: PublicUrls,
): MailContent {
  return renderMail({ ...draftOf(notice, contribution, transition, urls), footer: footerOf(contribution, urls) });
}

function draftOf(
  notice: Notice,
  contribution: Contribution,
  transition: Transition | undefined,
  urls: PublicUrls,
): Omit<MailDraft, 'footer'> {
  const noun = nouns[contribution.type];
  const reason = transition?.reason || contribution.reason;
  switch (notice) {
    case 'published':
      return {
        subject: `Your ${noun} is published`,
        preview: 'It passed review, and everybody can read it now.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} is published` },
          { kind: 'paragraph', text: 'It passed review, and everybody can read it now.' },
          ...sentBlocks(contribution),
          { kind: 'button', label: `Read your ${noun}`, url: objectUrl(contribution, urls) },
          { kind: 'note', text: nameNote(contribution) },
        ],
      };
    case 'rejected':
      return {
        subject: `Your ${noun} was not accepted`,
        preview: 'A moderator read it and decided not to publish it.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} was not accepted` },
          { kind: 'paragraph', text: 'A moderator read it and decided not to publish it, for this reason:' },
          { kind: 'quote', text: reason },
          ...sentBlocks(contribution),
          { kind: 'note', text: 'Nobody else has seen it. Your agent may send another contribution at any time.' },
        ],
      };
    case 'retracted':
      return {
        subject: `Your ${noun} was taken down`,
        preview: 'It was published before and cannot be read any more.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} was taken down` },
          {
            kind: 'paragraph',
            text: 'It was published before and cannot be read any more. The moderator gave this reason:',
          },
          { kind: 'quote', text: reason },
          ...sentBlocks(contribution),
        ],
      };
    case 'answered':
      return {
        ...answerHead(transition?.from === 'answered'),
        blocks: [
          { kind: 'heading', text: answerHead(transition?.from === 'answered').subject },
          { kind: 'quote', text: contribution.answer },
          ...sentBlocks(contribution),
          {
            kind: 'note',
            text: 'Inquiries are private: nobody but you and the moderators sees the question or the answer.',
          },
        ],
      };
  }
}

/** An answer that replaces one is called so: the first was mailed before. */
function answerHead(corrected: boolean): { subject: string; preview: string } {
  return corrected
    ? { subject: 'A corrected answer to your inquiry', preview: 'A moderator corrected the answer that you got.' }
    : { subject: 'An answer to your inquiry', preview: 'A moderator answered what you asked.' };
}

/** What was sent, so that the human knows which one it is: a title, a question that it answers, or how it begins. */
function sentBlocks(contribution: Contribution): MailBlock[] {
  const { type, title, prompt, body, agentName, submittedAt } = contribution;
  const what = type === 'inquiry' ? shorten(body.replace(/\s+/g, ' ').trim(), 300) : (title ?? prompt?.question ?? '');
  const label = { inquiry: 'You asked', story: 'Title', prompt_reply: 'In reply to' }[type];
  const rows: [string, string][] = [
    [label, unlinked(what)],
    ['Sent', inUtc(submittedAt)],
  ];
  return [{ kind: 'facts', rows: agentName === '' ? rows : [...rows, ['Agent', unlinked(agentName)]] }];
}

function nameNote(contribution: Contribution): string {
  const author = catalogAuthor(contribution);
  return author === ''
    ? 'It is shown without a name. Your e-mail address is never shown.'
    : `It is shown with the name “${unlinked(author)}”. Your e-mail address is never shown.`;
}

function footerOf({ type, site }: Contribution, urls: PublicUrls): MailDraft['footer'] {
  return [
    `You get this mail because an agent sent this ${nouns[type]} in your name, with the access that you confirmed by e-mail.`,
    `Community Knowledge Service, ${urls[site]}`,
  ];
}

function objectUrl({ id, site }: Contribution, urls: PublicUrls): string {
  return `${urls[site].replace(/\/+$/, '')}/objects/${id}?site=${site}`;
}
