import { withoutHiddenCharacters } from '../text/hidden-characters.js';
import { formatUtcEnd } from '../time-words.js';

/** Text of a mail: plain, or a mix of plain parts, strong parts and links. */
export type MailText = string | readonly MailTextPart[];

/** A part of a text. The URL of a link must come from the configuration. */
export type MailTextPart =
  | string
  | { strong: string }
  | { removed: string }
  | { added: string }
  | { link: string; url: string };

/** A block of a mail. All strings are escaped, so they never become markup. */
export type MailBlock =
  | { kind: 'paragraph'; text: MailText }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: readonly MailText[] }
  /** A table of short facts, each with its name. */
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  /** A code that the reader compares or copies, in large spaced type. */
  | { kind: 'code'; value: string }
  /** The main link of the mail. The URL must be http or https and come from the configuration. */
  | { kind: 'button'; label: string; url: string }
  /** A quotation that keeps its line breaks. */
  | { kind: 'quote'; text: MailText; by?: string }
  /** A remark in small print. */
  | { kind: 'note'; text: MailText };

/** The content of a mail before it is rendered. */
export interface MailDraft {
  /** The same subject for all mails of one purpose. */
  subject: string;
  /** The short line that mail programs show beside the subject. */
  preview: string;
  blocks: readonly MailBlock[];
  /** States the sender of the mail and the reason why the reader receives it. */
  footer: readonly MailText[];
}

/** Removes control characters and hidden characters, which could make a line look like another one. */
export function withoutControlCharacters(text: string): string {
  return withoutHiddenCharacters(text.replace(/\r\n?/g, '\n').replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, ''));
}

export function textParts(text: MailText): readonly MailTextPart[] {
  return typeof text === 'string' ? [text] : text;
}

/** Converts a part to plain text. A link is followed by its URL, unless its text already shows the URL. */
export function plainTextOf(part: MailTextPart): string {
  if (typeof part === 'string') return part;
  if ('strong' in part) return part.strong;
  if ('removed' in part) return `[-${part.removed}-]`;
  if ('added' in part) return `{+${part.added}+}`;
  return part.url === part.link || part.url === `mailto:${part.link}` ? part.link : `${part.link}: ${part.url}`;
}

/** @throws TypeError unless the URL is http or https. */
export function webUrl(url: string): string {
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('A mail links to http and https only.');
  return url;
}

/** The note below a link to the access page. A human can end links before their time. */
export function linkNote(until: Date): MailBlock {
  return {
    kind: 'note',
    text: `The link works until ${formatUtcEnd(until)} at the latest. Keep it to yourself: whoever has it can see and stop what agents do in your name. Has somebody else seen it? Your own page makes all earlier links useless.`,
  };
}

/** Says who decided, and how to disagree. */
export const contest: MailBlock = {
  kind: 'note',
  text: 'A person decided this. Programs only mark what a moderator should look at closely. If you disagree, write to us, free of charge, and say why: a person looks at it again.',
};
