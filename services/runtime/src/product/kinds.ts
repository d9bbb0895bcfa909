import type { Site } from './rules.js';

/** The types of contributions, as gateway/PROTOCOL.md#contribution-types describes them. */
export type ContributionType = 'inquiry' | 'story' | 'prompt_reply';

/** What all contributions of a type have in common. */
export interface Kind {
  /** Whether readers get it after its review. What is not public is never published: a moderator answers or closes it. */
  readonly isPublic: boolean;
  /** The sites that accept it. */
  readonly sites: readonly Site[];
  readonly hasTitle: boolean;
  /** Whether it says why it is sent, and which published text it is about. */
  readonly hasPurpose: boolean;
  readonly answersPrompt: boolean;
  /** What several of them are called at the beginning of a sentence. */
  readonly plural: string;
}

/** Every type with its facts. Code that treats a type differently asks for a fact, not for the name of the type. */
export const kinds: Readonly<Record<ContributionType, Kind>> = {
  inquiry: {
    isPublic: false,
    sites: ['io', 'org'],
    hasTitle: false,
    hasPurpose: true,
    answersPrompt: false,
    plural: 'Inquiries',
  },
  story: {
    isPublic: true,
    sites: ['org'],
    hasTitle: true,
    hasPurpose: false,
    answersPrompt: false,
    plural: 'Stories',
  },
  prompt_reply: {
    isPublic: true,
    sites: ['org'],
    hasTitle: false,
    hasPurpose: false,
    answersPrompt: true,
    plural: 'Prompt replies',
  },
};

export const contributionTypes = Object.keys(kinds) as ContributionType[];
