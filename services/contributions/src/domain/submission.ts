import type { Site } from '@knowledge/runtime';
import { canonicalLanguage, holdsAddress, KnowledgeError, withoutHiddenCharacters } from '@knowledge/runtime';
import { isReservedName } from '@knowledge/runtime/names';
import { bounds } from '@knowledge/runtime/product';
import { type Contribution, type ContributionType, scopeOf } from './contribution.js';
import { requireFreshId } from './id.js';
import type { Prompt } from './prompt.js';
import { recogniseLanguage } from './recognise-language.js';
import { lengthOf, lineFault, refuseFaults, textFault } from './text.js';
import { textHashOf } from './text-hash.js';

/** A contribution as it arrives. A field that was not sent is undefined. */
export interface Submission {
  id: string;
  type: ContributionType;
  site: Site;
  title: string | undefined;
  body: string;
  name: string | undefined;
  promptId: string | undefined;
  /** BCP 47. */
  language: string | undefined;
  contributor: Contributor;
  idempotencyKey: string | undefined;
  /** The hash of the payload, in hexadecimal. */
  payloadHash: string;
}

/** Who contributes: what the token resolved to. */
export interface Contributor {
  /** Case folded. */
  email: string;
  tokenId: string;
  scopes: readonly string[];
  agentName: string;
  /** What the contribution belongs to: of renewed authorizations the first. */
  authorizationId: string;
}

/**
 * The checks that need nothing but the submission, in their order (gateway/PROTOCOL.md#order-of-checks). Nobody is
 * named like the operator.
 *
 * @throws KnowledgeError `validation_error` that names every field at fault, `site_restriction` or `insufficient_scope`.
 */
export function checkSubmission(submission: Submission, operatorName = ''): void {
  checkFields(submission, operatorName);
  checkSite(submission);
  checkScope(submission);
}

/**
 * The prompt that a reply answers.
 *
 * @throws KnowledgeError `no_active_prompt`, or `validation_error` for a prompt_id that is not the active prompt's.
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

/** The contribution that a submission makes. */
export function makeContribution(submission: Submission, prompt: Prompt | undefined, now: Date): Contribution {
  const { id, type, site, title, body, name, contributor } = submission;
  const { email, tokenId, agentName, authorizationId } = contributor;
  const actor = contributorActor(tokenId);
  return {
    id,
    type,
    site,
    state: 'pending_review',
    title: title ?? null,
    body,
    name: name ?? null,
    prompt: prompt === undefined ? null : { id: prompt.id, question: prompt.question },
    email,
    tokenId,
    agentName,
    authorizationId,
    language: canonicalLanguage(submission.language ?? '') ?? recogniseLanguage(body),
    textHash: textHashOf(body),
    duplicateOf: null,
    submittedAt: now,
    updatedAt: now,
    reviewedAt: null,
    reason: '',
    note: '',
    answer: '',
    publishedAt: null,
    revision: 1,
    history: [{ from: '', to: 'pending_review', actor, at: now, reason: '', revision: 1 }],
    publication: null,
    catalogRevision: 0,
  };
}

/** The actor of what a contributor does: the token, never the address, since transitions are kept for ever. */
function contributorActor(tokenId: string): string {
  return tokenId === '' ? 'contributor' : `token:${tokenId}`;
}

function checkFields(submission: Submission, operatorName: string): void {
  const { id, type, title, body, name, promptId, contributor, idempotencyKey, payloadHash } = submission;
  requireFreshId(id);
  refuseFaults([
    contributor.email === '' ? 'contributor.email is required' : undefined,
    contributor.authorizationId === '' ? 'contributor.authorization_id is required' : undefined,
    payloadHash.length < 32 || payloadHash.length > 128 ? 'payload_hash must be 16 to 64 bytes' : undefined,
    idempotencyKey === undefined ? undefined : textFault('Idempotency-Key', idempotencyKey, bounds.idempotencyKey),
    titleFault(type, title),
    bodyFault(body),
    name === undefined ? undefined : nameFault(name, operatorName),
    promptIdFault(type, promptId),
    languageFault(submission.language),
  ]);
}

// The catalog gets it without its hidden characters, and takes no empty body.
function bodyFault(body: string): string | undefined {
  const { min } = bounds.body;
  const seen = lengthOf(withoutHiddenCharacters(body).trim());
  const visible = seen < min ? `body must be at least ${min} characters that can be seen; it has ${seen}` : undefined;
  return textFault('body', body, bounds.body) ?? visible;
}

// Refused rather than left out in silence: no address is ever published (gateway/PROTOCOL.md#texts).
function nameFault(name: string, operatorName: string): string | undefined {
  const fault = lineFault('name', name, bounds.name);
  if (fault !== undefined) return fault;
  if (holdsAddress(name)) return 'name must not be an e-mail address: it is published';
  return isReservedName(name, operatorName)
    ? 'name must be that of a person or a group: this one stands for the service or those who work for it'
    : undefined;
}

function languageFault(language: string | undefined): string | undefined {
  if (language === undefined || canonicalLanguage(language) !== undefined) return undefined;
  return 'language must be a BCP 47 tag such as en or de-CH';
}

function titleFault(type: ContributionType, title: string | undefined): string | undefined {
  if (type === 'story') {
    const { min, max } = bounds.title;
    return title === undefined
      ? `title is required, ${min} to ${max} characters`
      : lineFault('title', title, bounds.title);
  }
  return title === undefined ? undefined : `title is not a field of the type ${type}`;
}

function promptIdFault(type: ContributionType, promptId: string | undefined): string | undefined {
  if (promptId === undefined) return undefined;
  return type === 'prompt_reply'
    ? textFault('prompt_id', promptId, bounds.promptId)
    : `prompt_id is not a field of the type ${type}`;
}

function checkSite({ type, site }: Submission): void {
  if (type === 'inquiry' || site === 'org') return;
  const what = type === 'story' ? 'Stories' : 'Prompt replies';
  throw new KnowledgeError('site_restriction', `${what} are taken on org only; send it with "site": "org".`);
}

function checkScope({ type, contributor }: Submission): void {
  const scope = scopeOf[type];
  if (contributor.scopes.includes(scope)) return;
  const hint = `The token lacks the scope ${scope}; ask for it with a new authorization.`;
  throw new KnowledgeError('insufficient_scope', hint);
}
