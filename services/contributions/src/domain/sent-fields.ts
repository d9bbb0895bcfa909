import {
  canonicalLanguage,
  codePoints,
  isVisible,
  languageBound,
  lineFault,
  ownSecretFault,
  type Site,
  shownLineFault,
  textFault,
  withoutHiddenCharacters,
} from '@knowledge/runtime';
import { markdownFault, plainText, readMarkdown, textBlocks } from '@knowledge/runtime/markdown';
import { contactIn, isReservedName, lineOfAddress } from '@knowledge/runtime/names';
import {
  bounds,
  type ContributionType,
  type InquiryPurpose,
  kinds,
  type LineName,
  type WrittenName,
  writtenNames,
} from '@knowledge/runtime/product';

/** The fields of a contribution that its agent sends. */
export interface SentFields {
  /** The current title; null unless the contribution is a story. */
  title: string | null;
  body: string;
  /** The author's name. It will be published. */
  name: string | null;
  /** The prompt with its question at that time; null unless the contribution is a prompt reply. */
  prompt: { id: string; question: string } | null;
  /** Null unless the contribution is an inquiry. */
  purpose: InquiryPurpose | null;
  /** The text that an inquiry is about, with its title at that time; null if it is about none. */
  about: (TextName & { title: string }) | null;
  /** A BCP 47 tag. It is empty if no language was sent and none was recognised. */
  language: string;
}

/** A published text, as an inquiry names it. */
export interface TextName {
  site: Site;
  kind: 'article' | 'object';
  /** The slug of the article, or the UUID of the object. */
  id: string;
}

/** The fields after an erasure. A contribution that was stored before a field was added has it like this too. */
export const unsent: SentFields = {
  title: null,
  body: '',
  name: null,
  prompt: null,
  purpose: null,
  about: null,
  language: '',
};

export const sentNames = Object.keys(unsent) as (keyof SentFields)[];

/** The fields as a request has them. Those that were not sent are undefined. */
export interface RequestFields extends SentText {
  type: ContributionType;
  promptId?: string | undefined;
  purpose?: InquiryPurpose | undefined;
  about?: TextName | undefined;
}

/** The parts of a request that a new text replaces. */
export type SentText = Partial<Record<WrittenName, string | null | undefined>> & { body: string };

/** The fields that a contribution has as they were sent. */
export function sentFields(request: RequestFields, language: string) {
  const { type, purpose = 'question' } = request;
  return { ...sentText(request, language), purpose: kinds[type].hasPurpose ? purpose : null };
}

/** The text in what was sent or stored. `language` is the one that it was found to be in. */
export function sentText(text: SentText, language = text.language ?? ''): WrittenText {
  const sent = writtenNames.map((name) => [name, text[name] ?? unsent[name]]);
  return { ...(Object.fromEntries(sent) as WrittenText), language };
}

/** The faults of all fields. No text may contain the e-mail address of its human, `email`. */
export function fieldFaults(request: RequestFields, email: string, operatorName: string): (string | undefined)[] {
  return [...textFaults(request.type, request, email, operatorName), promptIdFault(request), ...inquiryFaults(request)];
}

/** The parts of a contribution that can be replaced. */
export type WrittenText = Pick<SentFields, WrittenName>;

/**
 * The faults of the text of a contribution, or of some fields of it. It must not contain the e-mail address of its human,
 * `email`.
 */
export function textFaults(
  type: ContributionType,
  text: SentText,
  email: string,
  operatorName: string,
  fields: readonly WrittenName[] = writtenNames,
): (string | undefined)[] {
  return fields.map((field) => {
    const sent = text[field] ?? undefined;
    if (field === 'body') return bodyFault(type, text.body, email);
    if (field === 'name') return sent && nameFault(sent, operatorName);
    if (field === 'language') return languageFault(sent);
    return lineOfKindFault(type, field, sent) ?? wordsFault(field, sent ?? '', email);
  });
}

// Without its hidden characters, as it is published, a text may be another one. An image is in `!\u200b[a](b)` only then.
function bodyFault(type: ContributionType, body: string, email: string) {
  const fault = formFault(type, body, email);
  if (fault !== undefined) return fault;
  const published = withoutHiddenCharacters(body);
  return published === body ? undefined : formFault(type, published, email);
}

function formFault(type: ContributionType, body: string, email: string) {
  const fault = textFault('body', body, bounds.body);
  if (fault !== undefined) return fault;
  const read = readMarkdown(body);
  const unreadable = markdownFault(body, kinds[type].isPublic ? 'stranger' : 'editor', read);
  if (unreadable !== undefined) return `body ${unreadable}`;
  const { min } = bounds.body;
  const shown = withoutHiddenCharacters(plainText(body, '', read)).trim();
  const seen = isVisible(shown) ? codePoints(shown) : 0;
  return seen < min
    ? `body must have at least ${min} characters that can be seen; it has ${seen}`
    : wordsFault('body', body, email, read);
}

/** The fault of what must not be published: an image, a secret of ours, or the address of the human. */
function wordsFault(field: string, text: string, email: string, read = readMarkdown(text)) {
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
function nameFault(name: string, operatorName: string) {
  const fault = shownLineFault('name', name, bounds.name);
  if (fault !== undefined) return fault;
  if (name.trim() === '') return 'name must have a letter, digit or symbol that can be seen; leave it out for none';
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

function lineOfKindFault(type: ContributionType, line: LineName, text: string | undefined) {
  if (!kinds[type].lines.includes(line))
    return text === undefined ? undefined : `${line} is not a field of the type ${type}`;
  const { min, max } = bounds[line];
  return text === undefined
    ? `${line} is required, ${min} to ${max} characters`
    : shownLineFault(line, text, bounds[line]);
}

function promptIdFault({ type, promptId }: RequestFields) {
  if (promptId === undefined) return undefined;
  return kinds[type].answersPrompt
    ? textFault('prompt_id', promptId, bounds.promptId)
    : `prompt_id is not a field of the type ${type}`;
}

function inquiryFaults({ type, purpose, about }: RequestFields) {
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
