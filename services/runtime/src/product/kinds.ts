import { rules, type Site } from './rules.js';

/** What all contributions of a type have in common. */
export interface Kind {
  /** Whether readers get it after its review. What is not public is never published: a moderator answers or closes it. */
  readonly isPublic: boolean;
  /** The sites that accept it. */
  readonly sites: readonly Site[];
  /** The lines that it has and needs, beside the fields of every text. */
  readonly lines: readonly LineName[];
  /** Whether it says why it is sent, and which published text it is about. */
  readonly hasPurpose: boolean;
  readonly answersPrompt: boolean;
  /** What mails call one, and pages several. */
  readonly noun: string;
  readonly nouns: string;
  /** What several of them are called at the beginning of a sentence. */
  readonly plural: string;
  /** What its scope permits, for the human who gives it. */
  readonly permission: string;
}

/** Why an agent sends an inquiry (gateway/PROTOCOL.md#inquiries), and what pages and mails call it then. */
export const inquiryPurposes = {
  question: 'private question',
  correction: 'proposed correction',
  report: 'report of a problem',
} as const;
export type InquiryPurpose = keyof typeof inquiryPurposes;

/** The fields of one line that only some types have. Moderators edit them like the text. */
export const lineNames = ['title'] as const;
export type LineName = (typeof lineNames)[number];

/** What its agent writes, and sends anew when a moderator asks for changes. */
export const writtenNames = [...lineNames, 'body', 'name', 'language'] as const;
export type WrittenName = (typeof writtenNames)[number];

/** What a moderator writes anew. A name they only take away. */
export const editedNames = [...lineNames, 'body'] as const;

/** What its human reads and agrees to. Where two texts are compared, all of it is. */
export const comparedNames = [...lineNames, 'name', 'body'] as const;

/** What forms and mails call the fields. */
export const labels: Readonly<Record<(typeof comparedNames)[number], string>> = {
  title: 'Title',
  name: 'Name',
  body: 'Text',
};

/** The written fields of a message for JSON. One that is empty is null. */
export function presentWritten(text: Readonly<Record<WrittenName, string>>) {
  const shown = Object.fromEntries(writtenNames.map((name) => [name, text[name] || null]));
  return { ...(shown as Record<WrittenName, string | null>), body: text.body };
}

/** Every type with its facts. Code that treats a type differently asks for a fact, not for the name of the type. */
const rows = {
  inquiry: {
    isPublic: false,
    sites: ['io', 'org'],
    lines: [],
    hasPurpose: true,
    answersPrompt: false,
    noun: 'question',
    nouns: 'inquiries',
    plural: 'Inquiries',
    permission: 'ask our moderators private questions; you and this agent get the answers',
  },
  story: {
    isPublic: true,
    sites: ['org'],
    lines: ['title'],
    hasPurpose: false,
    answersPrompt: false,
    noun: 'story',
    nouns: 'stories',
    plural: 'Stories',
    permission: 'write public stories about your experience',
  },
  prompt_reply: {
    isPublic: true,
    sites: ['org'],
    lines: [],
    hasPurpose: false,
    answersPrompt: true,
    noun: 'reply',
    nouns: 'replies',
    plural: 'Prompt replies',
    permission: 'answer the question that we ask the community, in public',
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** The types of contributions, as gateway/PROTOCOL.md#contribution-types describes them. */
export type ContributionType = keyof typeof rows;

export const kinds: Readonly<Record<ContributionType, Kind>> = rows;

export const contributionTypes = Object.keys(rows) as ContributionType[];

type PublicType = {
  [Type in ContributionType]: (typeof rows)[Type] extends { readonly isPublic: true } ? Type : never;
}[ContributionType];

/** The types of what readers get. */
export const publicTypes = contributionTypes.filter((type): type is PublicType => kinds[type].isPublic);

/** Words with commas, and `and` or `or` before the last. */
export function inSeries(words: readonly string[], last: 'and' | 'or'): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ` ${last} `);
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What pages call the public texts of the community: `stories and replies`. */
export const communityTexts = inSeries(
  publicTypes.map((type) => kinds[type].nouns),
  'and',
);

/** What pages call all objects of the catalog. */
export const publishedTexts = inSeries([...publicTypes.map((type) => kinds[type].nouns), 'knowledge'], 'and');

/** The kinds of objects in the catalog, in the order of their links, with their words. */
export const publishedKinds: Readonly<Record<PublicType | 'knowledge', PublishedWords>> = {
  story: {
    name: 'Story',
    plural: 'Stories',
    origin: 'A member of the community handed this in through an agent; a moderator read it before it was published.',
  },
  prompt_reply: {
    name: 'Reply to a question',
    plural: 'Replies to questions',
    origin:
      'A reply to a question of the editors, handed in through an agent and read by a moderator before it was published.',
  },
  knowledge: {
    name: 'Knowledge',
    plural: 'Knowledge',
    origin: 'Written by the editors from what the community knows.',
  },
};

interface PublishedWords {
  readonly name: string;
  readonly plural: string;
  /** Where it comes from, for its readers. */
  readonly origin: string;
}

export type PublishedKind = keyof typeof publishedKinds;

export const publishedKindNames = Object.keys(publishedKinds) as PublishedKind[];

/** The scope that a token needs for each type (gateway/PROTOCOL.md#contribution-types). */
export function scopeOf(type: ContributionType): Scope {
  return `write:${type}`;
}

export type Scope = `write:${ContributionType}`;

/** The permissions of a token (gateway/PROTOCOL.md#tokens). Every list shows them in this order. */
export const scopes: readonly Scope[] = contributionTypes.map(scopeOf);

/** Describes the permissions of a grant for the human who gives it. The page shows them after "it can:". */
export function scopeWords(granted: readonly Scope[]): string[] {
  const reading = `read up to ${rules.readsPerDay.verifiedEmail} articles a day as you`;
  const permissions = contributionTypes
    .filter((type) => granted.includes(scopeOf(type)))
    .map((type) => kinds[type].permission);
  return granted.length === 0 ? [`${reading}, and nothing else`] : [...permissions, reading];
}

/** Describes what becomes public under a grant, and under which name. Undefined if nothing becomes public. */
export function publicWords(granted: readonly Scope[]): string | undefined {
  if (!contributionTypes.some((type) => kinds[type].isPublic && granted.includes(scopeOf(type)))) return undefined;
  return 'A moderator reads each public text first. It carries the name that the agent gives; we never add your e-mail address.';
}

/** The limits of a day, which all agents of a human share. */
export const sharedLimits = `All agents of your mailbox together read at most ${rules.readsPerDay.verifiedEmail} articles and send at most ${rules.contributionsPerDay} texts a day.`;
