import {
  canonicalLanguage,
  contributorActor,
  KnowledgeError,
  refuseFaults,
  type Site,
  textFault,
} from '@knowledge/runtime';
import { recogniseLanguage } from '@knowledge/runtime/language';
import { bounds, kinds, scopeOf } from '@knowledge/runtime/product';
import { requireFreshId, textHashOf } from '../base/text.js';
import type { Prompt } from '../prompts/domain.js';
import { type Contribution, untouched } from './contribution.js';
import { fieldFaults, type RequestFields, type SentText, sentFields, type TextName } from './sent-fields.js';

/** A request to make a contribution. */
export interface Submission extends RequestFields, RequestOfAgent {
  id: string;
  site: Site;
}

/** Whose request it is, and what recognises a repeat. */
export interface RequestOfAgent {
  contributor: Contributor;
  idempotencyKey?: string | undefined;
  /** A hash of the request body, in hexadecimal. */
  payloadHash: string;
}

/** Data of the token that the agent used. */
export interface Contributor {
  /** The e-mail in lower case. */
  email: string;
  tokenId: string;
  scopes: readonly string[];
  agentName: string;
  /** The id of the root of the renewal chain. Contributions refer to this id. */
  authorizationId: string;
  /** Whether a staff member has blocked the human. */
  writesBlocked?: boolean | undefined;
  /** The network from which the agent sends. */
  network?: string | undefined;
}

/**
 * Makes all checks that need no database, in the order of gateway/PROTOCOL.md#order-of-checks. No contribution may use
 * the operator's name as its author.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field, `site_restriction`,
 * `writes_blocked` or `insufficient_scope`.
 */
export function checkSubmission(submission: Submission, operatorName = ''): void {
  checkFields(submission, operatorName);
  checkSite(submission);
  checkScope(submission);
}

/**
 * Returns the prompt that a reply refers to.
 *
 * @throws KnowledgeError `no_active_prompt`, or `validation_error` if the prompt_id is not that of the active prompt.
 */
export function promptToAnswer({ promptId, site }: Submission, active: Prompt | undefined): Prompt {
  if (active === undefined) {
    throw new KnowledgeError(
      'no_active_prompt',
      `No community prompt is active on ${site}; send a story or try later.`,
    );
  }
  if (promptId !== undefined && promptId !== active.id) {
    const hint = `prompt_id must be that of the active prompt, ${active.id}, or be left out.`;
    throw new KnowledgeError('validation_error', hint);
  }
  return active;
}

/** Finds a published text by its name. An object is found on any site. Undefined if no such text is published. */
export type FindText = (text: TextName) => Promise<Contribution['about'] | undefined>;

/**
 * Returns the text that an inquiry is about, with its title.
 *
 * @throws KnowledgeError `validation_error` if it is not published.
 */
export async function textAsked({ about }: Submission, findText: FindText): Promise<Contribution['about']> {
  if (about === undefined) return null;
  const found = await findText(about);
  if (found !== undefined) return found;
  const { kind, id, site } = about;
  const where = kind === 'article' ? ` on ${site}` : '';
  const message = `about must be a published text: there is no ${kind} ${id}${where}.`;
  throw new KnowledgeError('validation_error', message);
}

/** The language that the submission states, else the one that its text is certainly in, else none (''). */
export async function languageOf({ language, body }: SentText): Promise<string> {
  return canonicalLanguage(language ?? '') ?? (await recogniseLanguage(body));
}

/** Makes the contribution from a submission that was checked. `language` is its `languageOf`. */
export function makeContribution(
  submission: Submission,
  prompt: Prompt | undefined,
  language: string,
  now: Date,
  about: Contribution['about'] = null,
): Contribution {
  const { id, type, site, body, contributor } = submission;
  const { email, tokenId, agentName, authorizationId } = contributor;
  const actor = contributorActor(tokenId);
  return {
    ...untouched,
    id,
    type,
    site,
    ...sentFields(submission, language),
    prompt: prompt === undefined ? null : { id: prompt.id, question: prompt.question },
    about,
    email,
    tokenId,
    agentName,
    authorizationId,
    textHash: textHashOf(body),
    duplicateOf: null,
    submittedAt: now,
    updatedAt: now,
    history: [{ from: '', to: 'pending_review', actor, at: now, reason: '', revision: 1 }],
  };
}

function checkFields(submission: Submission, operatorName: string) {
  requireFreshId(submission.id);
  const { email } = submission.contributor;
  refuseFaults([...requestFaults(submission), ...fieldFaults(submission, email, operatorName)]);
}

/** The faults of what identifies a request of an agent. */
export function requestFaults({ contributor, idempotencyKey, payloadHash }: RequestOfAgent): (string | undefined)[] {
  return [
    contributor.email === '' ? 'contributor.email is required' : undefined,
    contributor.authorizationId === '' ? 'contributor.authorization_id is required' : undefined,
    payloadHash.length < 32 || payloadHash.length > 128 ? 'payload_hash must be 16 to 64 bytes' : undefined,
    idempotencyKey === undefined ? undefined : textFault('Idempotency-Key', idempotencyKey, bounds.idempotencyKey),
  ];
}

function checkSite({ type, site }: Submission) {
  const { sites, plural } = kinds[type];
  if (sites.includes(site)) return;
  const message = `${plural} are accepted on ${sites.join(' and ')} only; send it with "site": "${sites[0]}".`;
  throw new KnowledgeError('site_restriction', message);
}

/** @throws KnowledgeError `writes_blocked` or `insufficient_scope` */
export function checkScope({ type, contributor }: Pick<Submission, 'type' | 'contributor'>): void {
  if (contributor.writesBlocked) throw new KnowledgeError('writes_blocked', blockedWords);
  const scope = scopeOf(type);
  if (contributor.scopes.includes(scope)) return;
  const hint = `The token lacks the scope ${scope}; ask for it with a new authorization.`;
  throw new KnowledgeError('insufficient_scope', hint);
}

const blockedWords =
  'The operator has stopped all texts in the name of this human; another token changes nothing. Reading goes on, and the human can read more on their own page.';
