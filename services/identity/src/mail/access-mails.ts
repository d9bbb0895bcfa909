import { formatUtcEnd, formatUtcTime } from '@knowledge/runtime';
import {
  contest,
  linkNote,
  type MailBlock,
  type MailContent,
  type MailText,
  renderMail,
} from '@knowledge/runtime/mail';
import { accessEnd, rules } from '@knowledge/runtime/product';
import { type Authorization, type EndedBy, endedBy } from '../domain/authorization.js';
import type { Block } from '../domain/block.js';
import type { Transition } from '../domain/token.js';
import { paragraph, quotedName, rightsOf } from './confirmation-mail.js';

type NewAccess = Pick<Authorization, 'agentName' | 'scopes' | 'createdAt' | 'decidedAt' | 'origin' | 'renews'>;

/** The link to the access page, and when it ends. */
export interface OwnLink {
  readonly url: string;
  readonly until: Date;
}

/**
 * The mail with the access link (gateway/PROTOCOL.md#access-page). A human gets it after a confirmation, or when
 * support has issued a token.
 */
export function accessMail(authorization: NewAccess, link: OwnLink): MailContent {
  const { scopes, origin } = authorization;
  const bySupport = origin === 'support';
  return renderMail({
    subject: bySupport ? 'An agent was given access in your name' : 'You gave an agent access in your name',
    preview: 'Keep this mail: its link shows what agents do in your name, and stops them.',
    blocks: [
      paragraph(opening(authorization)),
      ...facts(authorization),
      paragraph('It can:'),
      ...rightsOf(scopes),
      paragraph(
        bySupport
          ? [{ strong: 'You did not ask for this? ' }, 'Stop it on your page; that takes effect within seconds.']
          : [{ strong: 'It was not you? ' }, 'Stop it on your page; that takes effect within seconds.'],
      ),
      { kind: 'button', label: 'See it or stop it', url: link.url },
      paragraph('Your own page shows every agent that can act for you and what was sent in your name.'),
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because an agent can act in your name from now on.'],
  });
}

function opening({ agentName, origin, renews }: NewAccess): MailText {
  const name = { strong: quotedName(agentName) };
  if (origin === 'support') {
    return ['Hello, our support team has given the agent ', name, ' access in your name, as was asked of it.'];
  }
  if (renews === null) return ['Thank you. You said yes: the agent ', name, ' can act for you.'];
  const old = quotedName(renews.agentName);
  return ['Thank you. You said yes: ', name, ' renews the access that ', { strong: old }, ' has.'];
}

function facts({ agentName, origin, createdAt, decidedAt }: NewAccess): MailBlock[] {
  const rows: [string, string][] = [
    ['Agent', quotedName(agentName)],
    [origin === 'support' ? 'Given' : 'You said yes', formatUtcTime(decidedAt ?? createdAt)],
    ['Until', formatUtcEnd(accessEnd(createdAt))],
  ];
  return [{ kind: 'facts', rows }];
}

/** The mail that informs a human about the end of an agent's access. It names the actor that ended the access. */
export function endedMail({ agentName, ...request }: EndedAccess, end: Transition, link: OwnLink): MailContent {
  const name = quotedName(agentName);
  return renderMail({
    subject: 'An agent can no longer act for you',
    preview: 'The access ended and nothing new can come in with it.',
    blocks: [
      paragraph([...openings[endedBy(end.actor)], { strong: name }, ' can no longer act for you.']),
      {
        kind: 'facts',
        rows: [
          ['Agent', name],
          ['Ended', formatUtcTime(end.at)],
        ],
      },
      ...(canHaveSent(request) ? whatItSent(end) : []),
      ...(endedBy(end.actor) === 'support' ? [...why(end), contest] : []),
      { kind: 'button', label: 'Open your own page', url: link.url },
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because an access in your name ended.'],
  });
}

type EndedAccess = Pick<Authorization, 'agentName' | 'scopes' | 'renews'>;

// Whether the agent could send contributions. A renewal counts, since the earlier access may have had more scopes.
function canHaveSent({ scopes, renews }: Pick<EndedAccess, 'scopes' | 'renews'>) {
  return scopes.length > 0 || renews !== null;
}

function whatItSent(end: Transition) {
  return [
    paragraph(waitingWords(end)),
    paragraph('What is published stays published; your own page can take it down.'),
  ];
}

function why({ reason }: Transition): MailBlock[] {
  if (reason === '') return [];
  return [paragraph('The reason:'), { kind: 'quote', text: reason }];
}

const openings: Readonly<Record<EndedBy, readonly string[]>> = {
  human: ['As you wished, '],
  agent: ['The agent gave its access back: '],
  support: ['Our team ended this access: '],
  system: ['Its time is over: '],
};

function waitingWords({ withdrawWaiting }: Transition): MailText {
  return withdrawWaiting === true
    ? `If texts of it still waited for review, they are withdrawn. Moderators can read them for ${rules.keptAfterEndDays} days, unless you erase them on your own page.`
    : 'If texts of it wait for review, they go on waiting; your own page shows them and can withdraw them.';
}

/**
 * The mail with an access link, which somebody requested for this address. After `new_link` all earlier links have ended.
 * With `block_link` nothing is known of the mailbox but a block.
 */
export function linkMail(link: OwnLink, purpose = 'link'): MailContent {
  const onlyOne = purpose === 'new_link';
  return renderMail({
    subject: 'The link to your own page',
    preview: 'It shows which agents can act for you and what was sent in your name.',
    blocks: [
      paragraph(
        `${onlyOne ? 'Your own page was used to make all earlier links useless: this is the only one now, but for requests that wait for your answer.' : 'Somebody, probably you, asked us to mail you this link.'} The page shows which agents can act for you and what was sent in your name, and stops both.`,
      ),
      { kind: 'button', label: 'Open your own page', url: link.url },
      paragraph([
        { strong: 'It was not you? ' },
        onlyOne
          ? 'Then somebody else had a link of yours, which is useless now. Look on your page at what was done.'
          : 'Then do nothing: nobody but you got this link, and nothing has changed.',
      ]),
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
    paragraph(
      'Requests of agents to this address are turned off, so we mail this link once a week at most, however often somebody asks.',
    ),
    { kind: 'button', label: 'No more of these mails', url: `${url}#links` },
  ];
}

/** The mail that tells a human that a staff member blocked their mailbox, and why. `canRead`: an agent has access. */
export function blockedMail(
  { until, reason }: Pick<Block, 'until' | 'reason'>,
  canRead: boolean,
  link: OwnLink,
): MailContent {
  return renderMail({
    subject: 'Agents can no longer send texts in your name',
    preview: 'Our team has blocked your mailbox.',
    blocks: [
      paragraph(
        `${until === null ? 'Our team has blocked your mailbox for ever. No' : `Our team has blocked your mailbox until ${formatUtcTime(until)}. Until then no`} agent can ask you for access or send us a text in your name.${canRead ? ' Agents that may act for you can still read.' : ''}${reason === '' ? '' : ' The reason:'}`,
      ),
      ...(reason === '' ? [] : [{ kind: 'quote' as const, text: reason }]),
      paragraph(
        'The block withdraws no text. A text that waits goes on waiting, unless the access of its agent ended too. What is published stays published.',
      ),
      contest,
      { kind: 'button', label: 'Open your own page', url: link.url },
      linkNote(link.until),
    ],
    footer: ['Community Knowledge Service', 'You get this mail because agents act or acted in your name.'],
  });
}
