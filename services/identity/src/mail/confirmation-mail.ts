import { formatUtcEnd, formatUtcTime, minutesInWords } from '@knowledge/runtime';
import { type MailBlock, type MailContent, type MailText, renderMail } from '@knowledge/runtime/mail';
import { areAlike, namesMessenger } from '@knowledge/runtime/names';
import { accessEnd, publicWords, rules, type Scope, scopeWords, sharedLimits } from '@knowledge/runtime/product';
import type { Authorization } from '../domain/authorization.js';
import type { EarlierDecisions } from '../domain/block.js';

/** The subject of the confirmation mail. Agents name it to their humans, who look for it. */
export const confirmationSubject = 'An agent asks for access in your name';

/** The link for the decision and its lifetime. For a renewal it also has the end of the earlier access. */
interface DecisionLink {
  readonly link: string;
  readonly lifeMinutes: number;
  readonly renewedUntil?: Date | undefined;
  /** What the human decided before. */
  readonly earlier?: EarlierDecisions | undefined;
}

type MailedRequest = Pick<Authorization, 'agentName' | 'scopes' | 'userCode' | 'createdAt' | 'expiresAt' | 'renews'>;

/**
 * The confirmation mail (gateway/PROTOCOL.md#confirmation-mail). The agent's name is the only text in it that comes
 * from outside. The purpose that the agent states is shown on the confirmation page only.
 */
export function confirmationMail(
  authorization: MailedRequest,
  { link, lifeMinutes, renewedUntil, earlier }: DecisionLink,
): MailContent {
  const { createdAt, userCode } = authorization;
  return renderMail({
    subject: confirmationSubject,
    preview: 'Look at the request, then choose yes or no. Nothing happens until you do.',
    blocks: [
      paragraph(
        `${renewedUntil === undefined ? 'Somebody, probably your AI agent, asked us to let it act' : 'An agent that can act for you already asked us to let it go on acting'} for you on the Community Knowledge Service, a public collection of experience from practice. Nothing happens until you choose.`,
      ),
      ...claims(authorization, renewedUntil),
      ...before(authorization, earlier),
      ...offer(authorization),
      ...comparison(userCode),
      refusal(renewedUntil),
      { kind: 'button', label: 'Look at the request', url: link },
      {
        kind: 'note',
        text: `Opening the page decides nothing. You can say yes with this link for ${minutesInWords(lifeMinutes)}, and no at any time. Later its page mails you a new one, or tells what became of the request. Asked ${formatUtcTime(createdAt)}.`,
      },
    ],
    footer: [
      'Community Knowledge Service',
      'You get this mail because an agent gave your address as the person that it acts for.',
    ],
  });
}

function claims({ agentName, renews }: MailedRequest, until: Date | undefined): MailBlock[] {
  const renewed = renews === null ? [] : [renewalOf(renews.agentName, until)];
  return [
    paragraph([{ strong: 'What it says about itself' }, ' (we have not checked it):']),
    { kind: 'facts', rows: [['Name', unknownName(agentName)]] },
    ...renewed,
  ];
}

/** What tells a new request from others: earlier Nos, and an agent of that name that has access. */
function before({ agentName, renews }: MailedRequest, earlier: EarlierDecisions | undefined) {
  if (earlier === undefined || renews !== null) return [];
  const { declined, agentNames } = earlier;
  const [last] = declined;
  const same = agentNames.find((name) => areAlike(name, agentName));
  const nos = `You said no to ${declined.length === 1 ? 'a request' : `${declined.length} requests`} in the last ${rules.keptAfterEndDays} days`;
  const paragraphs: (MailText | undefined)[] = [
    last && [
      `${nos}, the last time on ${formatUtcTime(last.decidedAt ?? new Date(0))} to one with the name `,
      { strong: unknownName(last.agentName) },
      '.',
    ],
    same && [
      'An agent called ',
      { strong: quotedName(same) },
      ' has access from you already. This is another request: if that agent did not tell you why it asks again, choose No.',
    ],
  ];
  return paragraphs.flatMap((text) => (text === undefined ? [] : [paragraph(text)]));
}

function renewalOf(agentName: string, until: Date | undefined) {
  const name = { strong: quotedName(agentName) };
  if (until === undefined) {
    return paragraph(['It asked with the access that ', name, ' had from you, which has ended.']);
  }
  return paragraph([
    { strong: 'Checked: ' },
    'it renews the access that ',
    name,
    ' has from you. What that agent sent stays with it, and the old access ends when the new one begins.',
  ]);
}

function refusal(renewedUntil: Date | undefined) {
  const unexpected = { strong: 'You did not expect this? ' };
  if (renewedUntil === undefined) {
    const nothing = 'Choose No on the page, or ignore this mail: without your yes the agent gets nothing.';
    const off = ' The page can also turn off all requests from agents to your address.';
    return paragraph([unexpected, nothing + off]);
  }
  const no = 'Choose No on the page, or ignore this mail: then nothing changes. Your earlier yes still holds until ';
  const stop = '. To stop that agent before, open your own page: the page of this request sends you its link.';
  return paragraph([unexpected, no, { strong: formatUtcEnd(renewedUntil) }, stop]);
}

function offer({ scopes, createdAt }: MailedRequest) {
  return [
    paragraph(['If you say yes, until ', { strong: formatUtcEnd(accessEnd(createdAt)) }, ' it can:']),
    ...rightsOf(scopes),
    paragraph(
      'We give it no access to your mailbox, your passwords or your other accounts. You can stop it at any time.',
    ),
  ];
}

/** What an agent with these scopes can do. */
export function rightsOf(scopes: readonly Scope[]): MailBlock[] {
  const inPublic = publicWords(scopes);
  return [
    { kind: 'list', items: scopeWords(scopes) },
    ...(inPublic === undefined ? [] : [paragraph(inPublic)]),
    paragraph(sharedLimits),
  ];
}

function comparison(userCode: string): MailBlock[] {
  if (userCode === '') {
    return [
      paragraph('The page asks you for the code that your agent shows you. If nobody has shown you one, choose No.'),
    ];
  }
  return [
    paragraph('Your agent should show you this code:'),
    { kind: 'code', value: userCode },
    paragraph('If it shows another one, or none at all, choose No.'),
  ];
}

/**
 * Changes an agent's name so that no mail program turns it into a link. It adds a thin space after each dot and slash,
 * as in `evil.example` and `a/b`. Between digits, as in `GPT-4.1`, it adds none.
 */
export function mailedName(agentName: string): string {
  return agentName.replace(/([./])(?=\S)(?!(?<=\d\.)\d)/g, '$1\u200a');
}

/**
 * The name of an agent that the human has not accepted. Four words and more may be a message, such as "your account is
 * locked", and a word beside the name of a messenger may be a handle there, so only the page shows them.
 */
function unknownName(agentName: string) {
  const parts = [...words.segment(agentName.replace(/[_-]/g, ' '))];
  const many = parts.filter(({ segment }) => /\p{L}/u.test(segment)).length;
  return many < 4 && (many < 2 || !namesMessenger(agentName))
    ? quotedName(agentName)
    : 'of several words, which only the page shows';
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Puts the name in quotation marks, so that readers do not take it for our own words. */
export function quotedName(agentName: string): string {
  return `“${mailedName(agentName)}”`;
}

export function paragraph(text: MailText): MailBlock {
  return { kind: 'paragraph', text };
}
