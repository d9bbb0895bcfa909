import {
  canonicalLanguage,
  codePoints,
  isVisible,
  KnowledgeError,
  languageBound,
  ownSecretFault,
  type Site,
  withoutHiddenCharacters,
} from '@knowledge/runtime';
import { recogniseLanguage } from '@knowledge/runtime/language';
import { markdownFault, plainText, readMarkdown, textBlocks } from '@knowledge/runtime/markdown';
import { contactIn, isReservedName, lineOfAddress } from '@knowledge/runtime/names';
import { bounds, type ContributionType, kinds, scopeOf } from '@knowledge/runtime/product';
import { type Contribution, type InquiryPurpose, type TextName, untouched } from './contribution.js';
import type { Prompt } from './prompt.js';
import { lineFault, refuseFaults, requireFreshId, shownLineFault, textFault, textHashOf } from './text.js';

/** A request to make a contribution. Fields that were not sent are undefined. */
export interface Submission {
  id: string;
  type: ContributionType;
  site: Site;
  title?: string | undefined;
  body: string;
  name?: string | undefined;
  promptId?: string | undefined;
  purpose?: InquiryPurpose | undefined;
  about?: TextName | undefined;
  /** A BCP 47 tag. */
  language?: string | undefined;
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
  const { id, type, site, title, body, name, purpose = 'question', contributor } = submission;
  const { email, tokenId, agentName, authorizationId } = contributor;
  const actor = contributorActor(tokenId);
  return {
    ...untouched,
    id,
    type,
    site,
    title: title ?? null,
    body,
    name: name ?? null,
    prompt: prompt === undefined ? null : { id: prompt.id, question: prompt.question },
    purpose: kinds[type].hasPurpose ? purpose : null,
    about,
    email,
    tokenId,
    agentName,
    authorizationId,
    language,
    textHash: textHashOf(body),
    duplicateOf: null,
    submittedAt: now,
    updatedAt: now,
    history: [{ from: '', to: 'pending_review', actor, at: now, reason: '', revision: 1 }],
  };
}

/** The actor of a submission. It is the token and never the address, because transitions are stored permanently. */
export function contributorActor(tokenId: string): string {
  return tokenId === '' ? 'contributor' : `token:${tokenId}`;
}

function checkFields(submission: Submission, operatorName: string): void {
  const { id, type, promptId } = submission;
  requireFreshId(id);
  refuseFaults([
    ...requestFaults(submission),
    ...textFaults(type, submission, submission.contributor.email, operatorName),
    promptIdFault(type, promptId),
    ...inquiryFaults(submission),
  ]);
}

/** The faults of what identifies a request of an agent. */
export function requestFaults({
  contributor,
  idempotencyKey,
  payloadHash,
}: Pick<Submission, 'contributor' | 'idempotencyKey' | 'payloadHash'>): (string | undefined)[] {
  return [
    contributor.email === '' ? 'contributor.email is required' : undefined,
    contributor.authorizationId === '' ? 'contributor.authorization_id is required' : undefined,
    payloadHash.length < 32 || payloadHash.length > 128 ? 'payload_hash must be 16 to 64 bytes' : undefined,
    idempotencyKey === undefined ? undefined : textFault('Idempotency-Key', idempotencyKey, bounds.idempotencyKey),
  ];
}

/** A text as an agent sends it. Fields that were not sent are undefined. */
export type SentText = Pick<Submission, 'title' | 'body' | 'name' | 'language'>;

/** The faults of the text of a contribution. It must not contain the e-mail address of its human, `email`. */
export function textFaults(
  type: ContributionType,
  { title, body, name, language }: SentText,
  email: string,
  operatorName: string,
): (string | undefined)[] {
  return [
    titleFault(type, title) ?? wordsFault('title', title ?? '', email),
    bodyFault(type, body, email),
    name === undefined ? undefined : nameFault(name, operatorName),
    languageFault(language),
  ];
}

function bodyFault(type: ContributionType, body: string, email: string): string | undefined {
  const fault = textFault('body', body, bounds.body);
  if (fault !== undefined) return fault;
  const read = readMarkdown(body);
  const unreadable = markdownFault(body, kinds[type].isPublic ? 'stranger' : 'editor', read);
  if (unreadable !== undefined) return `body ${unreadable}`;
  const { min } = bounds.body;
  const shown = withoutHiddenCharacters(plainText(body, '', read)).trim();
  const seen = isVisible(shown) ? codePoints(shown) : 0;
  return seen < min
    ? `body must be at least ${min} characters that can be seen; it has ${seen}`
    : wordsFault('body', body, email, read);
}

/** The fault of what must not be published: an image, a secret of ours, or the address of the human. */
function wordsFault(field: string, text: string, email: string, read = readMarkdown(text)): string | undefined {
  if (read.image !== undefined)
    return `${field} must not have an image (line ${read.image}): send a link, or show the markup as code`;
  const shown = textBlocks(text, '', read);
  const secret = ownSecretFault(text, shown);
  if (secret !== undefined) return `${field} ${secret}`;
  const line = lineOfAddress(text, email, shown);
  if (line === undefined) return undefined;
  return `${field} must not contain the e-mail address of the human (line ${line}): leave it out`;
}

// A name with an address is refused and not silently removed, because no address is ever published
// (gateway/PROTOCOL.md#texts).
function nameFault(name: string, operatorName: string): string | undefined {
  const fault = shownLineFault('name', name, bounds.name);
  if (fault !== undefined) return fault;
  const contact = contactIn(name);
  if (contact !== undefined) return `name must not have ${contact}: it is published`;
  return isReservedName(name, operatorName)
    ? 'name must be that of a person or a group: this one stands for the service or those who work for it'
    : undefined;
}

function languageFault(language: string | undefined): string | undefined {
  if (language === undefined || canonicalLanguage(language) !== undefined) return undefined;
  return `language ${languageBound}`;
}

function titleFault(type: ContributionType, title: string | undefined): string | undefined {
  if (kinds[type].hasTitle) {
    const { min, max } = bounds.title;
    return title === undefined
      ? `title is required, ${min} to ${max} characters`
      : shownLineFault('title', title, bounds.title);
  }
  return title === undefined ? undefined : `title is not a field of the type ${type}`;
}

function promptIdFault(type: ContributionType, promptId: string | undefined): string | undefined {
  if (promptId === undefined) return undefined;
  return kinds[type].answersPrompt
    ? textFault('prompt_id', promptId, bounds.promptId)
    : `prompt_id is not a field of the type ${type}`;
}

function inquiryFaults({ type, purpose, about }: Submission): (string | undefined)[] {
  if (!kinds[type].hasPurpose) {
    const sent = Object.entries({ purpose, about }).filter(([, value]) => value !== undefined);
    return sent.map(([name]) => `${name} is not a field of the type ${type}`);
  }
  if (about === undefined) {
    const needed = purpose === 'correction' || purpose === 'report';
    return [needed ? `about is required for a ${purpose}: the text that it is about` : undefined];
  }
  return [lineFault('about', about.id, bounds.slug)];
}

function checkSite({ type, site }: Submission): void {
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
