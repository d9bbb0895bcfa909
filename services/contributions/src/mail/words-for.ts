import type { ContributionType } from '@knowledge/runtime/product';
import type { Contribution, InquiryPurpose } from '../domain/contribution.js';

/** What mails call a contribution, and say about it. */
export interface MailWords {
  readonly noun: string;
  readonly articled: string;
  /** What happens with it now. */
  readonly arrival: string;
  /** The label of the words by which its human recognises it. */
  readonly label: string;
}

/** The words for a contribution. They depend on its purpose if it has one. */
export function wordsFor({ type, purpose }: Pick<Contribution, 'type' | 'purpose'>): MailWords {
  return purpose === null ? types[type] : purposes[purpose];
}

const privately = 'You and the agent get their answer; it is never published.';
const purposes: Readonly<Record<InquiryPurpose, MailWords>> = {
  question: {
    noun: 'question',
    articled: 'a private question',
    label: 'You asked',
    arrival: `It is a question to the moderators. ${privately}`,
  },
  correction: {
    noun: 'correction',
    articled: 'a proposed correction',
    label: 'You proposed',
    arrival: `It proposes to the moderators to correct a published text. ${privately}`,
  },
  report: {
    noun: 'report',
    articled: 'a report of a problem',
    label: 'You reported',
    arrival: `It reports a problem with a published text to the moderators. ${privately}`,
  },
};

const review = 'A moderator reads it before anybody else can. If it is accepted, everybody can read it.';
const types: Readonly<Record<ContributionType, MailWords>> = {
  inquiry: purposes.question,
  story: { noun: 'story', articled: 'a story', arrival: review, label: 'Title' },
  prompt_reply: { noun: 'reply', articled: 'a reply', arrival: review, label: 'In reply to' },
};
