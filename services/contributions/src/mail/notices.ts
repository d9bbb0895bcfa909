import type { Site, Transition } from '@knowledge/runtime';
import { formatUtcTime } from '@knowledge/runtime';
import {
  contest,
  linkNote,
  type MailBlock,
  type MailContent,
  type MailDraft,
  renderMail,
} from '@knowledge/runtime/mail';
import { plainText } from '@knowledge/runtime/markdown';
import { rules } from '@knowledge/runtime/product';
import { catalogAuthor } from '../domain/catalog-object.js';
import type { Contribution, Notice } from '../domain/contribution.js';
import { editsSinceAgent, undoableEdit } from '../domain/edit-decision.js';
import { dropsProposal } from '../domain/hold.js';
import { humanActor } from '../domain/review.js';
import { shorten } from '../domain/text.js';
import { differenceBlocks, editBlocks, editsBlocks } from './edited-blocks.js';
import { withoutLinks } from './without-links.js';
import { wordsFor } from './words-for.js';

/** The public base URLs of the sites. */
export type PublicUrls = Readonly<Record<Site, string>>;

export interface MailFacts {
  contribution: Contribution;
  /** The transition that the mail reports. */
  transition: Transition | undefined;
  urls: PublicUrls;
  /** The access key for the link, with its end; undefined if the identity service has no data of the person. */
  key: { code: string; until: Date } | undefined;
}

/** Composes the mail that informs a human about a change of a contribution. */
export function composeNotice(notice: Notice, facts: MailFacts): MailContent {
  const { contribution, urls } = facts;
  return renderMail({ ...draftOf(notice, facts), footer: footerOf(contribution, urls) });
}

function draftOf(notice: Notice, facts: MailFacts): Omit<MailDraft, 'footer'> {
  const { contribution, transition, urls } = facts;
  const { noun, articled, arrival } = wordsFor(contribution);
  const reason = transition?.reason || contribution.reason;
  switch (notice) {
    case 'received':
      return {
        subject: `An agent sent ${articled} in your name`,
        preview: arrival,
        blocks: [
          { kind: 'heading', text: `An agent sent ${articled} in your name` },
          { kind: 'paragraph', text: arrival },
          ...sentBlocks(facts),
          ...beginningOf(contribution),
          { kind: 'note', text: nameNote(contribution) },
          ...ownPage(facts, 'Read it, or withdraw it'),
          {
            kind: 'note',
            text: 'We send this mail for the first text of each agent. On your page you choose whether you want one for each.',
          },
        ],
      };
    case 'changes_requested':
      return {
        subject: `A moderator asks for changes to your ${noun}`,
        preview: 'Your agent can send a new text.',
        blocks: [
          { kind: 'heading', text: `A moderator asks for changes to your ${noun}` },
          { kind: 'paragraph', text: `A moderator read your ${noun} and asks for changes before going on:` },
          { kind: 'quote', text: reason },
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          { kind: 'paragraph', text: newTextWords },
          ...ownPage(facts, 'Read it, or withdraw it'),
        ],
      };
    case 'edited':
      return {
        subject: `Your published ${noun} was edited`,
        preview: 'A moderator took out what must not stay.',
        blocks: [
          { kind: 'heading', text: `Your published ${noun} was edited` },
          ...removal(facts, reason),
          ...sentBlocks(facts),
          { kind: 'button', label: `Read your ${noun}`, url: objectUrl(contribution, urls) },
          ...undoOf(facts, 'take your text down'),
        ],
      };
    case 'edit_proposed':
      return {
        subject: `A moderator proposes an edit of your ${noun}`,
        preview: 'Nothing changes without your yes.',
        blocks: [
          { kind: 'heading', text: `A moderator proposes an edit of your ${noun}` },
          { kind: 'paragraph', text: 'Nothing changes without your yes. The reason for the edit:' },
          { kind: 'quote', text: reason },
          ...(contribution.proposal === null ? [] : differenceBlocks(contribution, contribution.proposal.text)),
          ...sentBlocks(facts),
          ...ownPage(facts, 'Say yes or no on your page', true),
        ],
      };
    case 'published':
      return {
        subject: `Your ${noun} is published`,
        preview: 'It passed review, and everybody can read it now.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} is published` },
          { kind: 'paragraph', text: 'It passed review, and everybody can read it now.' },
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          { kind: 'button', label: `Read your ${noun}`, url: objectUrl(contribution, urls) },
          { kind: 'note', text: nameNote(contribution) },
          ...undoOf(facts, 'take it down'),
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
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          {
            kind: 'note',
            text: `${contribution.publishedAt === null ? 'It was never public. ' : ''}Your agent may send another text at any time.`,
          },
          contest,
          ...ownPage(facts),
        ],
      };
    case 'reopened':
      return {
        subject: `A moderator looks at your ${noun} again`,
        preview: 'It waits for a decision, as it did when it was sent.',
        blocks: [
          { kind: 'heading', text: `A moderator looks at your ${noun} again` },
          {
            kind: 'paragraph',
            text: 'The earlier decision is taken back. It waits for a new one, of which we tell you.',
          },
          ...sentBlocks(facts),
          ...ownPage(facts, 'Read it, or withdraw it'),
        ],
      };
    case 'retracted':
      return {
        subject: `Your ${noun} was taken down`,
        preview: 'Readers can no longer find it.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} was taken down` },
          ...takenDown(transition?.actor === humanActor, reason),
          ...sentBlocks(facts),
          ...ownPage(facts),
        ],
      };
    case 'closed':
      return {
        subject: `Your ${noun} was closed`,
        preview: 'A moderator closed it without an answer.',
        blocks: [
          { kind: 'heading', text: `Your ${noun} was closed` },
          ...closing(reason),
          ...sentBlocks(facts),
          contest,
          { kind: 'note', text: privacy },
          ...ownPage(facts),
        ],
      };
    case 'answered':
      return {
        ...answerHead(noun, transition?.from === 'answered'),
        blocks: [
          { kind: 'heading', text: answerHead(noun, transition?.from === 'answered').subject },
          { kind: 'quote', text: contribution.answer },
          ...sentBlocks(facts),
          { kind: 'note', text: privacy },
          ...ownPage(facts),
        ],
      };
  }
}

const newTextWords = `Your agent sees these words too: ask it to send a new text within ${rules.changesDays} days. Without one we withdraw what it sent, and write no other mail about it. Moderators can read it for another ${rules.keptAfterEndDays} days then, unless you erase it on your page; then it is erased.`;

/** What a moderator took out at once. Without a change of the text, only the earlier texts were removed. */
function removal({ contribution, transition }: MailFacts, reason: string): MailBlock[] {
  const revision = transition?.revision ?? 0;
  const isEdit = contribution.textChanges.some((each) => each.revision === revision);
  const what = isEdit
    ? 'A moderator took out what must not stay, and added nothing. The reason:'
    : 'What readers see did not change: a moderator removed the earlier texts of it that we kept. The reason:';
  return [
    { kind: 'paragraph', text: what },
    { kind: 'quote', text: reason },
    ...(isEdit ? editBlocks(contribution, revision) : []),
  ];
}

/** Says how the edits can be undone, or why they cannot, with the button to the page. */
function undoOf(facts: MailFacts, otherwise: string): MailBlock[] {
  const edits = editsSinceAgent(facts.contribution);
  if (undoableEdit(facts.contribution) === undefined) {
    const why = 'It cannot be undone, because the text before is not kept.';
    const isLost = edits.some(({ before }) => before === null);
    const page = ownPage(facts, `See all that is in your name, or ${otherwise}`, true);
    return isLost ? [{ kind: 'note', text: why }, contest, ...page] : page;
  }
  const count = edits.filter(({ before }) => before !== null).length;
  const which = count === 1 ? 'You can undo it' : `You can undo the ${count} edits, all at once`;
  const text = `${which}. The words from before wait for a moderator then, and readers cannot find the text until it is published again.`;
  return [{ kind: 'note', text }, ...ownPage(facts, `Undo the edit${count === 1 ? '' : 's'}, or ${otherwise}`, true)];
}

function takenDown(byHuman: boolean, reason: string): MailBlock[] {
  if (!byHuman) {
    const why = 'It was published before and cannot be read any more. The moderator gave this reason:';
    return [{ kind: 'paragraph', text: why }, { kind: 'quote', text: reason }, contest];
  }
  return [
    {
      kind: 'paragraph',
      text: 'As you wished, readers can no longer find it. Copies that others made stay with them.',
    },
    {
      kind: 'paragraph',
      text: [
        { strong: 'It was not you? ' },
        'Somebody else may have a link to your page: make all earlier links useless there.',
      ],
    },
  ];
}

/** The subject and preview of an answer. They show whether it corrects an earlier answer. */
function answerHead(noun: string, corrected: boolean): { subject: string; preview: string } {
  return corrected
    ? { subject: `A corrected answer to your ${noun}`, preview: 'A moderator corrected the answer that you got.' }
    : { subject: `An answer to your ${noun}`, preview: 'A moderator answered what was sent in your name.' };
}

const privacy = 'Private: you, the agent that sent it and the moderators can read it.';

function closing(reason: string): MailBlock[] {
  const what = 'A moderator closed it without an answer';
  return reason === ''
    ? [{ kind: 'paragraph', text: `${what} and gave no reason.` }]
    : [
        { kind: 'paragraph', text: `${what}, for this reason:` },
        { kind: 'quote', text: reason },
      ];
}

/** Quotes the beginning of the text of a story or reply. The text of an inquiry is not quoted. */
function beginningOf({ type, body }: Contribution): MailBlock[] {
  return type === 'inquiry' ? [] : [{ kind: 'quote', text: withoutLinks(shorten(plainText(body), 600)) }];
}

/** The button that opens the access page, at this contribution if `opensIt` is set. */
function ownPage(
  { contribution, urls, key }: MailFacts,
  label = 'See all that is in your name',
  opensIt = false,
): MailBlock[] {
  const page = `${baseOf(contribution, urls)}/access`;
  if (key === undefined)
    return [{ kind: 'button', label: 'Have the link to your page mailed to you', url: `${page}/link` }];
  const { id } = contribution;
  const url = `${page}?key=${encodeURIComponent(key.code)}${opensIt ? `&changed=${id}#sent-${id}` : ''}`;
  return [{ kind: 'button', label, url }, linkNote(key.until)];
}

/** Shows the title, the prompt or the beginning of the text, so that the human recognises the contribution. */
function sentBlocks({ contribution, transition }: MailFacts): MailBlock[] {
  const { type, title, prompt, body, agentName, submittedAt } = contribution;
  const what = type === 'inquiry' ? shorten(body.replace(/\s+/g, ' ').trim(), 300) : (title ?? prompt?.question ?? '');
  const rows: [string, string][] = [
    [wordsFor(contribution).label, withoutLinks(what)],
    ['Sent', formatUtcTime(submittedAt)],
  ];
  const facts =
    agentName === '' ? rows : [...rows, ['Agent', `“${withoutLinks(agentName)}”`] satisfies [string, string]];
  const isDropped = transition !== undefined && dropsProposal(contribution, transition.revision);
  const dropped =
    'The edit that a moderator had proposed before is dropped with this: it waits for no answer any more.';
  return [...(isDropped ? [{ kind: 'paragraph', text: dropped } as const] : []), { kind: 'facts', rows: facts }];
}

function nameNote(contribution: Contribution): string {
  const author = catalogAuthor(contribution);
  if (contribution.type === 'inquiry') return 'We never add your e-mail address.';
  return author === ''
    ? 'Readers see it without a name. We never add your e-mail address.'
    : `Readers see it with the name “${withoutLinks(author)}”. We never add your e-mail address.`;
}

function footerOf(contribution: Contribution, urls: PublicUrls): MailDraft['footer'] {
  return [
    `You get this mail because an agent that may act for you sent this ${wordsFor(contribution).noun} in your name.`,
    `Community Knowledge Service, ${urls[contribution.site]}`,
  ];
}

function objectUrl({ id, site }: Contribution, urls: PublicUrls): string {
  return `${baseOf({ site }, urls)}/objects/${id}?site=${site}`;
}

function baseOf({ site }: Pick<Contribution, 'site'>, urls: PublicUrls): string {
  return urls[site].replace(/\/+$/, '');
}
