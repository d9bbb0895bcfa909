import { actors, formatUtcTime, later, type Site, type Transition } from '@knowledge/runtime';
import {
  contest,
  linkNote,
  type MailBlock,
  type MailContent,
  type MailDraft,
  renderMail,
} from '@knowledge/runtime/mail';
import { rules } from '@knowledge/runtime/product';
import type { Contribution, Notice } from '../domain/contribution.js';
import { editsSinceAgent, undoableEdit } from '../domain/edit.js';
import { dropsProposal } from '../domain/hold.js';
import { changesMs } from '../domain/new-text.js';
import {
  beginningOf,
  differenceBlocks,
  editBlocks,
  editsBlocks,
  nameNote,
  note,
  paragraph,
  quote,
  withoutLinks,
  wordsFor,
  wordsOf,
} from './blocks.js';

/** The public base URLs of the sites. */
export type PublicUrls = Readonly<Record<Site, string>>;

/** A contribution, and the transition of it that a mail reports. */
export interface Reported {
  contribution: Contribution;
  transition: Transition | undefined;
}

export interface MailFacts extends Reported {
  urls: PublicUrls;
  /** The access key for the link, with its end; undefined if the identity service has no data of the person. */
  key: { code: string; until: Date } | undefined;
}

/** Composes the mail that informs a human about a change of a contribution. */
export function composeNotice(notice: Notice, facts: MailFacts): MailContent {
  const { contribution, urls } = facts;
  return renderMail({ ...draftOf(notice, facts), footer: footerOf(contribution, urls) });
}

/** Says whose access ended with the decision. */
export function endedAgents(all: readonly Pick<Reported, 'contribution'>[]): MailBlock[] {
  const ended = all.filter(({ contribution }) => contribution.agentEnd !== null);
  const names = [...new Set(ended.map(({ contribution }) => `“${withoutLinks(contribution.agentName)}”`))];
  if (names.length === 0) return [];
  const text = `The moderator also ended the access of ${names.join(', ')} to your name. What else it sent and still waited is withdrawn.`;
  return [paragraph(text)];
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
          paragraph(arrival),
          ...sentBlocks(facts),
          ...beginningOf(contribution),
          note(nameNote(contribution)),
          ...ownPage(facts, 'Read it, or withdraw it'),
          note('We send this mail for the first text of each agent, or for each text: on your page you choose which.'),
        ],
      };
    case 'changes_requested':
      return {
        subject: `A moderator asks for changes to your ${noun}`,
        preview: 'Your agent can send a new text.',
        blocks: [
          paragraph(`A moderator read your ${noun} and asks for changes before going on:`),
          quote(reason),
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          paragraph(newTextWords(contribution)),
          ...ownPage(facts, 'Read it, or withdraw it'),
        ],
      };
    case 'edited':
      return {
        subject: `Your published ${noun} was edited`,
        preview: 'A moderator took out what must not stay.',
        blocks: [
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
          paragraph('Nothing changes without your yes. The reason for the edit:'),
          quote(reason),
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
          paragraph('It passed review, and everybody can read it now.'),
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          { kind: 'button', label: `Read your ${noun}`, url: objectUrl(contribution, urls) },
          note(nameNote(contribution)),
          ...undoOf(facts, 'take it down'),
        ],
      };
    case 'rejected':
      return {
        subject: `Your ${noun} was not accepted`,
        preview: 'A moderator read it and decided not to publish it.',
        blocks: [
          paragraph('A moderator read it and decided not to publish it, for this reason:'),
          quote(reason),
          ...editsBlocks(contribution),
          ...sentBlocks(facts),
          ...endedAgents([facts]),
          note(
            `${contribution.publishedAt === null ? 'It was never public. ' : ''}Your agent may send another text at any time.`,
          ),
          contest,
          ...ownPage(facts),
        ],
      };
    case 'reopened':
      return {
        subject: `A moderator looks at your ${noun} again`,
        preview: 'It waits for a decision, as it did when it was sent.',
        blocks: [
          paragraph('The earlier decision is taken back. It waits for a new one, of which we tell you.'),
          ...sentBlocks(facts),
          ...ownPage(facts, 'Read it, or withdraw it'),
        ],
      };
    case 'retracted':
      return {
        subject: `Your ${noun} was taken down`,
        preview: contribution.publishedAt === null ? 'Readers will not find it.' : 'Readers can no longer find it.',
        blocks: [...takenDown(facts, reason), ...sentBlocks(facts), ...ownPage(facts)],
      };
    case 'closed':
      return {
        subject: `Your ${noun} was closed`,
        preview: 'A moderator closed it without an answer.',
        blocks: [
          ...closing(reason),
          ...sentBlocks(facts),
          ...endedAgents([facts]),
          contest,
          note(privacy),
          ...ownPage(facts),
        ],
      };
    case 'answered':
      return {
        ...answerHead(noun, transition?.from === 'answered'),
        blocks: [quote(contribution.answer), ...sentBlocks(facts), note(privacy), ...ownPage(facts)],
      };
  }
}

function newTextWords({ updatedAt }: Contribution) {
  const due = formatUtcTime(later(updatedAt, changesMs));
  return `Your agent sees these words too: ask it to send a new text by ${due}. Without one we withdraw what it sent, and write no other mail about it. Moderators can read it for another ${rules.keptAfterEndDays} days then, unless you erase it on your page; then it is erased.`;
}

/** What a moderator took out at once. Without a change of the text, only the earlier texts were removed. */
function removal({ contribution, transition }: MailFacts, reason: string) {
  const revision = transition?.revision ?? 0;
  const isEdit = contribution.textChanges.some((each) => each.revision === revision);
  const what = isEdit
    ? 'A moderator took out what must not stay, and added nothing. The reason:'
    : 'What readers see did not change: a moderator removed the earlier texts of it that we kept. The reason:';
  return [paragraph(what), quote(reason), ...(isEdit ? editBlocks(contribution, revision) : [])];
}

/** Says how the edits can be undone, or why they cannot, with the button to the page. */
function undoOf(facts: MailFacts, otherwise: string) {
  const edits = editsSinceAgent(facts.contribution);
  if (undoableEdit(facts.contribution) === undefined) {
    const why = 'It cannot be undone, because the text before is not kept.';
    const isLost = edits.some(({ before }) => before === null);
    const page = ownPage(facts, `See all that is in your name, or ${otherwise}`, true);
    return isLost ? [note(why), contest, ...page] : page;
  }
  const count = edits.filter(({ before }) => before !== null).length;
  const which = count === 1 ? 'You can undo it' : `You can undo the ${count} edits, all at once`;
  const text = `${which}. The words from before wait for a moderator then, and readers cannot find the text until it is published again.`;
  return [note(text), ...ownPage(facts, `Undo the edit${count === 1 ? '' : 's'}, or ${otherwise}`, true)];
}

function takenDown({ contribution, transition }: MailFacts, reason: string) {
  if (transition?.actor !== actors.human) {
    const why = 'It was published before and cannot be read any more. The moderator gave this reason:';
    return [paragraph(why), quote(reason), contest];
  }
  const what =
    contribution.publishedAt === null
      ? 'it will not be published. It was never public.'
      : 'readers can no longer find it. Copies that others made stay with them.';
  return [
    paragraph(`As you wished, ${what}`),
    paragraph([
      { strong: 'It was not you? ' },
      'Somebody else may have a link to your page: make all earlier links useless there.',
    ]),
  ];
}

/** The subject and preview of an answer. They show whether it corrects an earlier answer. */
function answerHead(noun: string, corrected: boolean) {
  return corrected
    ? { subject: `A corrected answer to your ${noun}`, preview: 'A moderator corrected the answer that you got.' }
    : { subject: `An answer to your ${noun}`, preview: 'A moderator answered what was sent in your name.' };
}

const privacy = 'Private: you, the moderators and, while it can act for you, the agent that sent it can read it.';

function closing(reason: string) {
  const what = 'A moderator closed it without an answer';
  return reason === ''
    ? [paragraph(`${what} and gave no reason.`)]
    : [paragraph(`${what}, for this reason:`), quote(reason)];
}

/** The button that opens the access page, at this contribution if `opensIt` is set. */
export function ownPage(
  { contribution, urls, key }: MailFacts,
  label = 'See all that is in your name',
  opensIt = false,
): MailBlock[] {
  const page = `${baseOf(contribution, urls)}/access`;
  if (key === undefined)
    return [{ kind: 'button', label: 'Have the link to your page mailed to you', url: `${page}/link` }];
  const { id } = contribution;
  const url = `${page}?key=${encodeURIComponent(key.code)}${opensIt ? `&shown=${id}#sent-${id}` : ''}`;
  return [{ kind: 'button', label, url }, linkNote(key.until)];
}

/** Shows the title, the prompt or the beginning of the text, so that the human recognises the contribution. */
function sentBlocks({ contribution, transition }: MailFacts): MailBlock[] {
  const { agentName, submittedAt } = contribution;
  const rows: [string, string][] = [
    [wordsFor(contribution).label, withoutLinks(wordsOf(contribution))],
    ['Sent', formatUtcTime(submittedAt)],
  ];
  const facts =
    agentName === '' ? rows : [...rows, ['Agent', `“${withoutLinks(agentName)}”`] satisfies [string, string]];
  const isDropped = transition !== undefined && dropsProposal(contribution, transition.revision);
  const dropped =
    'The edit that a moderator had proposed before is dropped with this: it waits for no answer any more.';
  return [...(isDropped ? [paragraph(dropped)] : []), { kind: 'facts', rows: facts }];
}

function footerOf(contribution: Contribution, urls: PublicUrls): MailDraft['footer'] {
  return [
    `You get this mail because an agent that may act for you sent this ${wordsFor(contribution).noun} in your name.`,
    `Community Knowledge Service, ${urls[contribution.site]}`,
  ];
}

function objectUrl({ id, site }: Contribution, urls: PublicUrls) {
  return `${baseOf({ site }, urls)}/objects/${id}?site=${site}`;
}

function baseOf({ site }: Pick<Contribution, 'site'>, urls: PublicUrls) {
  return urls[site].replace(/\/+$/, '');
}
