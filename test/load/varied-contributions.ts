import { randomUUID } from 'node:crypto';
import { createRandom, createVariedTexts } from './varied-texts.js';

/** A stored contribution without an assessment. */
export type SeededContribution = ReturnType<ReturnType<typeof contributionsOf>>;

/** Makes contributions of varied texts: 60 % wait, a tenth is short, and one in fifty repeats an earlier text. */
export function contributionsOf() {
  const textOf = createVariedTexts();
  return (at: number) => {
    const random = createRandom(at + 7);
    const text = textOf(at % 50 === 49 ? Math.max(0, at - 49) : at);
    const length = random() < 0.1 ? 300 : 600 + random() ** 2 * 3_400;
    const type = pick({ inquiry: 0.2, story: 0.55, prompt_reply: 0.25 }, random());
    const state = pick(
      { pending_review: 0.6, approved: 0.05, published: 0.2, rejected: 0.1, withdrawn: 0.05 },
      random(),
    );
    const submittedAt = new Date(Date.UTC(2026, 9, 1) + at * 30_000);
    const transition = (from: string, to: string, revision: number) => ({
      ...{ from, to, actor: 'token:t', at: submittedAt, reason: '', revision },
    });
    const email = `person-${Math.floor(random() * 20_000)}@example.org`;
    return {
      _id: randomUUID() as string,
      type,
      site: type === 'inquiry' && random() < 0.5 ? 'io' : 'org',
      state,
      title: type === 'story' ? text.title : null,
      body: text.body.slice(0, length),
      name: text.author,
      prompt:
        type === 'prompt_reply' ? { id: 'p', question: 'What did you learn, and what would you do otherwise?' } : null,
      purpose: type === 'inquiry' ? 'question' : null,
      about: null,
      email,
      mailbox: email,
      tokenId: 't',
      agentName: `Agent ${Math.floor(random() ** 2 * 300)}`,
      authorizationId: `authorization-${Math.floor(random() * 25_000)}`,
      language: text.language,
      textHash: '',
      duplicateOf: null,
      submittedAt,
      updatedAt: submittedAt,
      reviewedAt: null,
      reason: '',
      answer: '',
      note: '',
      publishedAt: null,
      revision: 1,
      history: [transition('', 'pending_review', 1), ...(state === 'pending_review' ? [] : [transition('', state, 2)])],
      textChanges: [],
      publication: null,
      catalogRevision: 0,
      held: null,
      proposal: null,
      looks: [],
      agentEnd: null,
      mails: [],
      mailsDueAt: null,
    };
  };
}

function pick<Name extends string>(shares: Readonly<Record<Name, number>>, share: number): Name {
  let rest = share;
  for (const [name, weight] of Object.entries(shares) as [Name, number][]) {
    rest -= weight;
    if (rest < 0) return name;
  }
  throw new Error('The shares have a sum below 1.');
}
