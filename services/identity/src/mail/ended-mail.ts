import { formatUtcTime } from '@knowledge/runtime';
import {
  contest,
  linkNote,
  type MailBlock,
  type MailContent,
  type MailText,
  renderMail,
} from '@knowledge/runtime/mail';
import { rules } from '@knowledge/runtime/product';
import type { Authorization } from '../domain/authorization.js';
import { type EndedBy, endedBy } from '../domain/end.js';
import type { Transition } from '../domain/transition.js';
import type { OwnLink } from './access-mail.js';
import { quotedName } from './mailed-name.js';

/** The mail that informs a human about the end of an agent's access. It names the actor that ended the access. */
export function endedMail({ agentName, ...request }: EndedAccess, end: Transition, link: OwnLink): MailContent {
  const subject = 'An agent can no longer act for you';
  const name = quotedName(agentName);
  return renderMail({
    subject,
    preview: 'The access ended and nothing new can come in with it.',
    blocks: [
      { kind: 'paragraph', text: [...openings[endedBy(end.actor)], { strong: name }, ' can no longer act for you.'] },
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
function canHaveSent({ scopes, renews }: Pick<EndedAccess, 'scopes' | 'renews'>): boolean {
  return scopes.length > 0 || renews !== null;
}

function whatItSent(end: Transition): MailBlock[] {
  return [
    { kind: 'paragraph', text: waitingWords(end) },
    { kind: 'paragraph', text: 'What is published stays published; your own page can take it down.' },
  ];
}

function why({ reason }: Transition): MailBlock[] {
  if (reason === '') return [];
  return [
    { kind: 'paragraph', text: 'The reason:' },
    { kind: 'quote', text: reason },
  ];
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
