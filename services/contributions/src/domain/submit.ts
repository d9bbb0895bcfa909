import type { CallContext, Site } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import { asFirstAnswered, type Contribution } from './contribution.js';
import type { Prompt } from './prompt.js';
import { chargeIdOf, type Slots, slotsOf } from './slots.js';
import { checkSubmission, makeContribution, promptToAnswer, type Submission } from './submission.js';
import type { Turns } from './turns.js';

/** What a slot says about a submission. */
export type Seen =
  /** This contribution was made by an equal submission, or by this very one. */
  | { kind: 'taken'; by: Contribution }
  /** The key was used with another payload. */
  | { kind: 'conflict' }
  /** Nothing counts; `previous` is the contribution that the slot names all the same. */
  | { kind: 'free'; previous: string | undefined };

/** Where submissions meet and contributions begin. */
export interface SubmissionStore {
  look(submission: Submission, slots: Slots, call: CallContext): Promise<Seen>;
  /**
   * Stores the contribution, with what it repeats, and takes its slots in one step; undefined if the deciding slot names
   * another than `previous`.
   *
   * @throws KnowledgeError `invalid_token` if the authorization has ended.
   */
  record(
    contribution: Contribution,
    submission: Submission,
    slots: Slots,
    previous: string | undefined,
    call: CallContext,
  ): Promise<Contribution | undefined>;
}

/** The daily limit of contributions. */
export interface WriteLimit {
  /**
   * Takes one; the same id again takes nothing more. It is given back within a minute unless it is kept.
   *
   * @throws KnowledgeError `rate_limited`, or `unavailable` when it cannot be asked.
   */
  take(id: string, email: string, call: CallContext): Promise<void>;
  /** The contribution that was charged under the id is stored: the charge stays. */
  keep(id: string): void;
}

/** What submitting needs. */
export interface SubmitDependencies {
  /** Equal submissions within this process wait for each other. */
  turns: Turns;
  submissions: SubmissionStore;
  limit: WriteLimit;
  /** Who runs the service: no contribution carries this name. */
  operatorName: string;
  activePrompt(site: Site, call: CallContext): Promise<Prompt | undefined>;
}

/** A contribution, and whether it is the answer to an earlier, equal submission. */
export interface Submitted {
  contribution: Contribution;
  replayed: boolean;
}

/**
 * Takes a submission (gateway/PROTOCOL.md#replays): checks, replay, prompt, write limit, store, in this order. Equal
 * submissions at once race to the store, where one wins; the others then find it and answer with it. Nothing is held in
 * between, so a crash leaves nothing to clean up: at most a charge, which the retry of the same submission finds and
 * uses, or which is given back.
 */
export async function submit(submission: Submission, call: CallContext, needs: SubmitDependencies): Promise<Submitted> {
  checkSubmission(submission, needs.operatorName);
  const slots = slotsOf(submission);
  return needs.turns.take(slots.deciding, call.signal, () => take(submission, slots, call, needs));
}

async function take(
  submission: Submission,
  slots: Slots,
  call: CallContext,
  needs: SubmitDependencies,
): Promise<Submitted> {
  const { submissions, limit } = needs;
  for (;;) {
    call.signal.throwIfAborted();
    const seen = await submissions.look(submission, slots, call);
    switch (seen.kind) {
      case 'taken':
        return { contribution: asFirstAnswered(seen.by), replayed: seen.by.id !== submission.id };
      case 'conflict':
        throw new KnowledgeError(
          'idempotency_conflict',
          `This Idempotency-Key was used with another payload in the last ${rules.idempotencyKeyHours} hours; take a new key for a new contribution.`,
        );
      case 'free': {
        const prompt = await promptFor(submission, call, needs);
        const charge = chargeIdOf(slots, seen.previous);
        await limit.take(charge, submission.contributor.email, call);
        const contribution = makeContribution(submission, prompt, call.now);
        const recorded = await submissions.record(contribution, submission, slots, seen.previous, call);
        if (recorded !== undefined) {
          limit.keep(charge);
          return { contribution: recorded, replayed: false };
        }
        // Lost to an equal submission, which may not be readable for a moment: a majority must have it.
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
      }
    }
  }
}

async function promptFor(
  submission: Submission,
  call: CallContext,
  { activePrompt }: SubmitDependencies,
): Promise<Prompt | undefined> {
  if (submission.type !== 'prompt_reply') return undefined;
  return promptToAnswer(submission, await activePrompt(submission.site, call));
}
