import { limits } from '../../protocol/limits.js';

/** A kind of data about people, as the page tells it. The test compares the kinds with what is stored. */
export interface StoredData {
  /** The anchor of its row on the page. */
  readonly id: string;
  readonly what: string;
  readonly why: string;
  readonly ground: Ground;
  readonly until: string;
}

/** The legal ground for keeping data (GDPR, article 6). */
export type Ground = keyof typeof grounds;

export const grounds = {
  agreement: 'your yes (a)',
  law: 'a duty by law (c)',
  interest: 'our interest (f)',
} as const;

const whileText = 'as long as the text itself';

/** Every kind of data about people that is kept, in the order in which people meet them. */
export const storedData: readonly StoredData[] = [
  {
    id: 'reading',
    what: 'If you read pages: your IP address. There are no cookies, no script and nothing from other servers.',
    why: 'so that nobody can ask for so much that others wait',
    ground: 'interest',
    until: 'minutes, in memory only',
  },
  {
    id: 'counts',
    what: 'How much an IP address, the name of a program, a mailbox or a mail domain has used today: each only as a hash, with the ids of what was counted.',
    why: 'the limits of a day or an hour',
    ground: 'interest',
    until: `${limits.countKeptDays} days after that day (UTC)`,
  },
  {
    id: 'searches',
    what: 'Words that are searched, without e-mail addresses, URLs and long numbers, and how often articles are read. Nothing says who: words are shown only where at least five readers used them. The operator may have another company compute which texts are close to a search; it gets the words alone.',
    why: 'to find texts, and to see what is missing',
    ground: 'interest',
    until: '30 days',
  },
  {
    id: 'requests',
    what: 'If an agent asks for access: your e-mail address, the name of the agent, what it wants to do and why, your decision, who ended it and why, all times, and the IP address and program that asked. The keys of its links are kept as hashes, its short code as it is, and your mailbox as a hash for two days if its mail domain has a limit.',
    why: 'so that an agent acts for you only if you said yes',
    ground: 'agreement',
    until: `${limits.keptAfterEndDays} days after the request ended; without an answer it ends after ${limits.authorizationHours} hours`,
  },
  {
    id: 'access',
    what: 'If you gave access: what the agent may do, from when to when, who ended it and why, and when it last used it, to the minute.',
    why: 'so that you and we see it, and can end it',
    ground: 'agreement',
    until: `${limits.keptAfterEndDays} days after it ended, which is after ${limits.tokenDays} days at the latest`,
  },
  {
    id: 'links',
    what: 'The links to your own page, as hashes, with your e-mail address.',
    why: 'so that only you get there',
    ground: 'agreement',
    until: `${limits.tokenDays} days`,
  },
  {
    id: 'blocks',
    what: 'If you turned off requests from agents: your e-mail address, since when and until when.',
    why: 'so that no agent can write to you',
    ground: 'agreement',
    until: 'as long as they are off, and a day',
  },
  {
    id: 'blocks-by-us',
    what: 'If our team blocked your mailbox: your e-mail address, since when and until when, who did it and why.',
    why: 'so that nobody misuses the service or your name',
    ground: 'interest',
    until: 'as long as the block holds, and a day',
  },
  {
    id: 'texts',
    what: 'What was sent in your name: the text and its earlier versions, its title, language and the name under it, the question that it answers, why an inquiry was sent and which text it is about, the agent, and the times.',
    why: 'to review and publish it, or to answer you',
    ground: 'agreement',
    until: `until you have it erased; ${limits.keptAfterEndDays} days if it was withdrawn`,
  },
  {
    id: 'repeats',
    what: 'Hashes of what an agent has just sent, with your e-mail address.',
    why: 'so that a text that is sent twice is stored once',
    ground: 'interest',
    until: '3 days',
  },
  {
    id: 'checks',
    what: 'What programs notice about a text: a score of risk from 0 to 100 with its reasons, such as links, a telephone number, hidden characters, a text much like it, or texts of yours that were rejected before; numbers made of its words, to find texts like it; and what it may have in common with others: the sites to which it links, the domain of your mailbox, and a hash of the network from which it was sent.',
    why: 'so that a moderator looks closely where it matters',
    ground: 'interest',
    until: whileText,
  },
  {
    id: 'decisions',
    what: 'What moderators decided about a text or propose to change in it, when and why, their answers to you, and their notes for each other.',
    why: 'to give you the reason, and to decide alike',
    ground: 'law',
    until: whileText,
  },
  {
    id: 'mails',
    what: 'Which mails went to you, when, and whether your mail server took them or what it said, and which ones you want. Their words are not kept.',
    why: 'to tell you what is done in your name',
    ground: 'agreement',
    until: 'as long as what they are about',
  },
  {
    id: 'record',
    what: 'Who changed what or looked at whose data, when, why and with which request. You are in it as a hash of your address.',
    why: 'so that misuse can be found',
    ground: 'interest',
    until: 'without end; if you are erased, without reasons but for looks at your limits',
  },
  {
    id: 'erasures',
    what: 'If you are to be erased: your e-mail address, and who of us asked for it, why, and who confirmed it.',
    why: 'so that nobody erases a person by mistake',
    ground: 'law',
    until: `${limits.keptAfterEndDays} days after it is done, without the address`,
  },
  {
    id: 'authors',
    what: 'If you write or edit articles: your name at what you wrote or changed, when and why.',
    why: 'so that readers know who wrote it',
    ground: 'agreement',
    until: 'as long as the article',
  },
  {
    id: 'staff',
    what: 'If you work for us: your name, e-mail address and roles, when you signed in, who ended that and why, what you have open, and which revision of a text you opened last.',
    why: 'so that only those who may see this data do',
    ground: 'interest',
    until:
      '30 days after a session; your name 400 days after the last one; what you opened as long as the text is kept, for at most 20 people',
  },
];
