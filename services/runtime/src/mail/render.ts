import type { Operator } from '../operator/operator.js';
import { escapeHtml } from '../text/escape-html.js';
import { codePoints, withoutHiddenCharacters } from '../text/hidden-characters.js';
import { formatUtcEnd } from '../time-words.js';
import type { MailBody, MailContent } from './outbox.js';

/** Renders a mail as text and as HTML with the same content. Its subject is its heading. */
export function renderMail({ blocks, ...rest }: MailDraft): MailContent {
  const draft: MailDraft = { ...rest, blocks: [{ kind: 'heading', text: rest.subject }, ...blocks] };
  return {
    ...partsOfMail(draft),
    signedBy: (operator) => partsOfMail({ ...draft, footer: [...draft.footer, ...signature(operator)] }),
  };
}

function partsOfMail(draft: MailDraft): MailBody {
  return { subject: draft.subject, text: renderText(draft), html: renderHtml(draft) };
}

function signature({ name, contact, privacyUrl, imprintUrl }: Operator): MailText[] {
  return [
    [`Run by ${name}. Questions? Write to `, { link: contact.text, url: contact.url }],
    [{ link: 'Privacy', url: privacyUrl }],
    ...(imprintUrl === undefined ? [] : [[{ link: 'Imprint', url: imprintUrl }]]),
  ];
}

/**
 * Renders the HTML part: one column without pictures, scripts or external resources. Styles are inline, since many mail
 * programs ignore others. The styles in the head only adapt to dark mode.
 */
function renderHtml({ subject, preview, blocks, footer }: MailDraft) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escaped(subject)}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f2ee">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;table-layout:fixed">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="border-collapse:separate;table-layout:fixed;max-width:560px;background:#ffffff;border:1px solid #e4e0d8;border-radius:12px">
<tr><td class="ink" style="padding:32px 32px 24px;font:16px/1.55 ${sans};color:#22252a;text-align:left;${broken}">
${blocks.map(blockAsHtml).join('\n')}
</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;table-layout:fixed;max-width:560px">
<tr><td class="faint" style="padding:20px 32px;font:13px/1.5 ${sans};color:#6b6f76;text-align:left;${broken}">
${footer.map((line) => `<p style="margin:0 0 6px">${inline(line)}</p>`).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

// Breaks long words, so that they do not widen the mail. Each mail program supports one of the two properties.
const broken = 'overflow-wrap:anywhere;word-break:break-word';

const darkStyles = `@media (prefers-color-scheme:dark){
.page{background:#17181b !important}
.card{background:#222428 !important;border-color:#383b41 !important}
.ink,.ink p,.ink li,.ink td,.ink h2{color:#ececec !important}
.faint,.ink .faint{color:#a3a7ae !important}
.box{background:#2c2f35 !important;border-color:#44484f !important}
.go{background:#86cbae !important;color:#14161a !important}
}`;

function blockAsHtml(block: MailBlock) {
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${inline(block.text)}</p>`;
    case 'heading':
      return `<h2 style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:650">${escaped(block.text)}</h2>`;
    case 'list':
      return `<ul style="margin:0 0 16px;padding:0 0 0 22px">${block.items.map((item) => `<li style="margin:0 0 6px">${inline(item)}</li>`).join('')}</ul>`;
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:0 0 16px;max-width:100%">${block.rows.map(factRow).join('')}</table>`;
    case 'code':
      return `<p class="box" style="margin:0 0 16px;padding:14px 16px;background:#f4f2ee;border:1px solid #e4e0d8;border-radius:8px;font:600 22px/1.2 ${mono};letter-spacing:3px;text-align:center">${escaped(block.value)}</p>`;
    case 'button':
      return `<p style="margin:8px 0 24px"><a class="go" href="${escaped(webUrl(block.url))}" style="display:inline-block;padding:12px 22px;background:#1a5a45;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none;${broken}">${escaped(block.label)}</a></p><p class="faint" style="margin:-12px 0 24px;font-size:14px;line-height:1.5;color:#6b6f76">Or copy this link:<br>${escaped(block.url)}</p>`;
    case 'quote':
      return `<div class="box" dir="auto" style="margin:0 0 16px;padding:12px 16px;text-align:start;background:#f4f2ee;border:1px solid #e4e0d8;border-inline-start:4px solid #b9b2a3;border-radius:4px">${quoted(block.text)}${block.by === undefined ? '' : `<p class="faint" style="margin:8px 0 0;font-size:14px;color:#6b6f76">${escaped(block.by)}</p>`}</div>`;
    case 'note':
      return `<p class="faint" style="margin:0 0 12px;font-size:14px;line-height:1.5;color:#6b6f76">${inline(block.text)}</p>`;
  }
}

function factRow([name, value]: readonly [string, string]) {
  return `<tr><td class="faint" style="padding:2px 16px 2px 0;font-size:14px;color:#6b6f76;vertical-align:top;white-space:nowrap">${escaped(name)}</td><td dir="auto" style="padding:2px 0;text-align:start;vertical-align:top;${broken}">${escaped(value)}</td></tr>`;
}

function quoted(text: MailText) {
  return `<div>${inline(typeof text === 'string' ? text.trim() : text).replaceAll('\n', '<br>')}</div>`;
}

function inline(text: MailText) {
  return textParts(text).map(inlinePart).join('');
}

function inlinePart(part: MailTextPart) {
  if (typeof part === 'string') return escaped(part);
  if ('strong' in part) return `<strong>${escaped(part.strong)}</strong>`;
  if ('removed' in part) return `<del>${escaped(part.removed)}</del>`;
  if ('added' in part) return `<ins>${escaped(part.added)}</ins>`;
  return `<a href="${escaped(linkUrl(part.url))}" style="color:inherit">${escaped(part.link)}</a>`;
}

function linkUrl(url: string) {
  return url.startsWith('mailto:') ? url : webUrl(url);
}

function escaped(text: string) {
  return escapeHtml(withoutControlCharacters(text));
}

const width = 72;

/** Renders the plain text part. Lines have at most 72 characters, except lines with a long URL. */
function renderText({ blocks, footer }: MailDraft) {
  const small = footer.map((line) => wrap(flat(line)));
  return `${[...blocks.map(blockAsText), ['-- ', ...small].join('\n')].join('\n\n')}\n`;
}

function blockAsText(block: MailBlock) {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return wrap(flat(block.text));
    case 'heading': {
      const text = oneLine(block.text);
      return `${text}\n${'-'.repeat(Math.min(codePoints(text), width))}`;
    }
    case 'list':
      return block.items.map((item) => wrap(flat(item), '  - ', '    ')).join('\n');
    case 'facts': {
      const column = Math.max(...block.rows.map(([name]) => name.length)) + 3;
      const indent = ' '.repeat(column + 2);
      return block.rows
        .map(([name, value]) => wrap(oneLine(value), `  ${`${name}:`.padEnd(column)}`, indent))
        .join('\n');
    }
    case 'code':
      return `        ${oneLine(block.value)}`;
    case 'button':
      return `${oneLine(block.label)}:\n${webUrl(block.url)}`;
    case 'quote': {
      const lines = withoutControlCharacters(textParts(block.text).map(plainTextOf).join('')).trim().split('\n');
      const quoted = lines.map((line) => (line.trim() === '' ? '>' : wrap(line.trimEnd(), '> ', '> ')));
      return [...quoted, ...(block.by === undefined ? [] : [`  ${oneLine(block.by)}`])].join('\n');
    }
  }
}

function flat(text: MailText) {
  return oneLine(textParts(text).map(plainTextOf).join(''));
}

function oneLine(text: string) {
  return withoutControlCharacters(text).replace(/\s+/g, ' ').trim();
}

function wrap(text: string, first = '', rest = first.replace(/\S/g, ' ')) {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length + rest.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each, at) => (at === 0 ? first : rest) + each).join('\n');
}

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

function textParts(text: MailText) {
  return typeof text === 'string' ? [text] : text;
}

/** Converts a part to plain text. A link is followed by its URL, unless its text already shows the URL. */
function plainTextOf(part: MailTextPart) {
  if (typeof part === 'string') return part;
  if ('strong' in part) return part.strong;
  if ('removed' in part) return `[-${part.removed}-]`;
  if ('added' in part) return `{+${part.added}+}`;
  return part.url === part.link || part.url === `mailto:${part.link}` ? part.link : `${part.link}: ${part.url}`;
}

/** @throws TypeError unless the URL is http or https. */
function webUrl(url: string) {
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
