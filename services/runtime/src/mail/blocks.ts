import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/** A run of text; an array mixes plain parts, strong ones, and links to pages of ours or of the operator. */
export type MailText = string | readonly MailTextPart[];

/** A part of a run of text. The URL of a link comes from configuration. */
export type MailTextPart = string | { strong: string } | { link: string; url: string };

/** A part of a mail. Every string is shown as it is: nothing in it can become markup. */
export type MailBlock =
  | { kind: 'paragraph'; text: MailText }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: readonly MailText[] }
  /** Short facts, each with its name. */
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] }
  /** Something to compare or to copy, large and spaced. */
  | { kind: 'code'; value: string }
  /** The one thing to do. The URL must be http or https and come from configuration. */
  | { kind: 'button'; label: string; url: string }
  /** What somebody wrote, line breaks kept. */
  | { kind: 'quote'; text: string; by?: string }
  /** A remark in small print. */
  | { kind: 'note'; text: MailText };

/** A mail before it is rendered. */
export interface MailDraft {
  /** Constant for its purpose. */
  subject: string;
  /** The line that mail programs show beside the subject. */
  preview: string;
  blocks: readonly MailBlock[];
  /** Who sent this and why the reader gets it. */
  footer: readonly MailText[];
}

/** The characters of a text without controls and hidden ones, which could make a line read as another. */
export function plain(text: string): string {
  return withoutHiddenCharacters(text.replace(/\r\n?/g, '\n').replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, ''));
}

/** A text as its parts. */
export function partsOf(text: MailText): readonly MailTextPart[] {
  return typeof text === 'string' ? [text] : text;
}

/** The words of a part where there is no markup: a link with its URL, unless it shows that already. */
export function wordsOf(part: MailTextPart): string {
  if (typeof part === 'string') return part;
  if ('strong' in part) return part.strong;
  return part.url === part.link || part.url === `mailto:${part.link}` ? part.link : `${part.link}: ${part.url}`;
}

/** @throws TypeError unless the URL is http or https. */
export function webUrl(url: string): string {
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('A mail links to http and https only.');
  return url;
}
