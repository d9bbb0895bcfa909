import { createHash } from 'node:crypto';
import { type CallContext, KnowledgeError, refuseFaults, type Site, withoutHiddenCharacters } from '@knowledge/runtime';
import { readMarkdown } from '@knowledge/runtime/markdown';
import { kinds, rules } from '@knowledge/runtime/product';
import { stringify } from 'uuid';
import type { KeyedQueue } from '../base/keyed-queue.js';
import type { Prompt } from '../prompts/domain.js';
import { asFirstResponse, type Contribution } from './contribution.js';
import type { TextName } from './sent-fields.js';
import {
  checkSubmission,
  languageOf,
  makeContribution,
  promptToAnswer,
  type Submission,
  textAsked,
} from './submission.js';

/** The result of looking up a submission in its deciding slot. */
export type SlotResult =
  /** This submission, or an equal one, has already made this contribution. */
  | { kind: 'taken'; by: Contribution }
  /** The same key was already used with another payload. */
  | { kind: 'conflict' }
  /** What came with this key was erased. */
  | { kind: 'erased' }
  /** The submission is new. `previous` is an earlier contribution of the slot, which is expired or withdrawn. */
  | { kind: 'free'; previous: string | undefined };

/** Finds replays and stores contributions. */
export interface SubmissionStore {
  look(submission: Submission, slots: IdempotencySlots, call: CallContext): Promise<SlotResult>;
  /**
   * Stores the contribution and its slots in one transaction. Undefined if another submission has used the deciding
   * slot since `previous`.
   *
   * @throws KnowledgeError `invalid_token` if the authorization has ended.
   */
  record(
    contribution: Contribution,
    submission: Submission,
    slots: IdempotencySlots,
    previous: string | undefined,
    call: CallContext,
  ): Promise<Contribution | undefined>;
}

/** The daily limit of contributions per person. */
export interface WriteLimit {
  /**
   * Counts one contribution. A repeated id is not counted again. Without `keep` the quota service gives it back within
   * a minute.
   *
   * @throws KnowledgeError `rate_limited`, or `unavailable` if the quota service does not respond.
   */
  take(id: string, email: string, call: CallContext): Promise<void>;
  /** Makes the charge permanent. Call it when the contribution is stored. */
  keep(id: string): void;
}

export interface SubmitParts {
  /** Makes equal submissions of this process run one after the other, and the last step of those of one agent. */
  queue: KeyedQueue;
  submissions: SubmissionStore;
  limit: WriteLimit;
  /** The name of the operator. No contribution may use it. */
  operatorName: string;
  /** The base URLs of the sites. No contribution may link to a private page there. */
  siteUrls: readonly string[];
  activePrompt(site: Site, call: CallContext): Promise<Prompt | undefined>;
  /** Finds a published text by its name; undefined if no such text is published. */
  findText(text: TextName, call: CallContext): Promise<Contribution['about'] | undefined>;
}

/** The contribution, and whether an earlier equal submission made it. */
interface Submitted {
  contribution: Contribution;
  replayed: boolean;
}

/**
 * Accepts a submission (gateway/PROTOCOL.md#replays). It checks the fields, replays, the prompt and the write limit,
 * and then stores. The store accepts one of several equal parallel submissions, and all respond with it. A crash leaves
 * at most a charge, which a retry uses or the quota service gives back.
 */
export async function submit(submission: Submission, call: CallContext, parts: SubmitParts): Promise<Submitted> {
  checkSubmission(submission, parts.operatorName);
  refusePrivateLinks(submission.body, parts.siteUrls);
  const slots = idempotencySlots(submission);
  return parts.queue.run(slots.deciding, call.signal, () => submitInTurn(submission, slots, call, parts));
}

async function submitInTurn(
  submission: Submission,
  slots: IdempotencySlots,
  call: CallContext,
  parts: SubmitParts,
): Promise<Submitted> {
  const { submissions, limit, queue } = parts;
  const { authorizationId, email } = submission.contributor;
  for (;;) {
    call.signal.throwIfAborted();
    const slot = await submissions.look(submission, slots, call);
    switch (slot.kind) {
      case 'taken':
        return { contribution: asFirstResponse(slot.by), replayed: slot.by.id !== submission.id };
      case 'conflict':
        throw keyConflict('contribution');
      case 'erased':
        throw new KnowledgeError(
          'idempotency_conflict',
          'What came with this Idempotency-Key was erased since; with a new key it is sent again.',
        );
      case 'free': {
        const prompt = await promptFor(submission, call, parts);
        const about = await textAsked(submission, (text) => parts.findText(text, call));
        const language = await languageOf(submission);
        const charge = chargeIdOf(slots, slot.previous);
        await limit.take(charge, email, call);
        const contribution = makeContribution(submission, prompt, language, call.now, about);
        // Each is counted in the document of its agent, so together they would only hinder each other.
        const recorded = await queue.run(authorizationId, call.signal, () =>
          submissions.record(contribution, submission, slots, slot.previous, call),
        );
        if (recorded !== undefined) {
          limit.keep(charge);
          return { contribution: recorded, replayed: false };
        }
        // An equal submission was faster. It can be read when a majority of the database servers has it.
        await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
      }
    }
  }
}

async function promptFor(submission: Submission, call: CallContext, { activePrompt }: SubmitParts) {
  if (!kinds[submission.type].answersPrompt) return undefined;
  return promptToAnswer(submission, await activePrompt(submission.site, call));
}

/** The time for which an idempotency key is remembered (gateway/PROTOCOL.md#replays). */
export const keyLivesMs = rules.idempotencyKeyHours * 3_600_000;
/** The time in which an equal payload without a key is a replay. */
export const payloadLivesMs = rules.equalPayloadMinutes * 60_000;
/**
 * The time for which a slot is stored; it must be longer than a UTC day. A charge id is derived from the previous
 * contribution of the slot. If the slot were deleted on the same day, the first charge id would be used again, and the
 * charge would not be counted.
 */
export const slotKeptMs = 72 * 3_600_000;

/** The error if an idempotency key was used with another payload. */
export function keyConflict(forNew: 'contribution' | 'text'): KnowledgeError {
  const message = `This Idempotency-Key was used with another payload in the last ${rules.idempotencyKeyHours} hours; take a new key for a new ${forNew}.`;
  return new KnowledgeError('idempotency_conflict', message);
}

/** The ids of the slots that a submission uses. */
export interface IdempotencySlots {
  /** The slot that decides whether a submission is a replay. It belongs to the key, or without a key to the payload. */
  deciding: string;
  /** The slot of the payload. A submission with a key uses it too, so that a retry without the key finds it. */
  payload: string;
}

/**
 * Derives the slots of a submission. Each authorization has its own slots, so that no agent sees another agent's
 * contribution.
 */
export function idempotencySlots({ contributor, idempotencyKey, payloadHash }: Submission): IdempotencySlots {
  const payload = hash(['payload', contributor.authorizationId, payloadHash]);
  return {
    deciding: idempotencyKey === undefined ? payload : hash(['key', contributor.authorizationId, idempotencyKey]),
    payload,
  };
}

/**
 * Derives the charge id from the slot and its previous contribution. So equal parallel submissions, and a retry after a
 * crash, are charged only once.
 */
export function chargeIdOf({ deciding }: IdempotencySlots, previous: string | undefined): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['charge', deciding, previous ?? '']))
    .digest();
  const id = Uint8Array.from(bytes.subarray(0, 16));
  // Marks the id as version 8 of RFC 9562: a UUID with custom content.
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  return stringify(id);
}

function hash(parts: readonly string[]) {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Refuses a text with a whole URL of a private page of ours, `bases` being those of the sites. It may carry a key.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function refusePrivateLinks(body: string, bases: readonly string[]): void {
  const found = readMarkdown(withoutHiddenCharacters(body)).links.find(({ target }) =>
    bases.some((base) => isPrivate(target, base)),
  );
  refuseFaults([found && `body links to a private page of this service in line ${found.line}: leave the link out`]);
}

function isPrivate(target: string, base: string) {
  if (!URL.canParse(target)) return false;
  const { host, pathname } = new URL(target);
  const { host: ours, pathname: root } = new URL(base);
  return host === ours && privatePath.test(decoded(pathname.slice(root.replace(/\/$/, '').length)));
}

function decoded(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const privatePath = /^\/(?:access|api\/v1\/agent\/authorize)(?:\/|$)/;
