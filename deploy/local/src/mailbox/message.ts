import { type ParsedMail, simpleParser } from 'mailparser';

/** One received mail as programs see it at `/api/messages/:id`. */
export interface Message {
  readonly id: string;
  /** The address of the sender as its header says. */
  readonly from: string;
  /** The addresses that the mail server was told to deliver to. */
  readonly to: readonly string[];
  readonly subject: string;
  /** RFC 3339: when it was received. */
  readonly date: string;
  /** The plain text part, null where there is none. */
  readonly text: string | null;
  /** The HTML part, null where there is none. */
  readonly html: string | null;
  /** Decoded, by lower-case name; a name that occurs more than once has its values joined by a line break. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every http(s) link of text and HTML, each once, in order. */
  readonly links: readonly string[];
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[];
}

/** Reads a stored mail. The envelope is in the trace headers that the mailbox put in front. */
export async function parseMessage(id: string, raw: Buffer, receivedAt: Date): Promise<Message> {
  const mail = await simpleParser(raw, { skipTextToHtml: true, skipHtmlToText: true });
  const headers = headersOf(mail);
  const text = mail.text ?? null;
  const html = mail.html || null;
  return {
    id,
    from: mail.from?.value[0]?.address ?? headers['return-path'] ?? '',
    to: (headers['x-original-to'] ?? '').split(', ').filter((address) => address !== ''),
    subject: mail.subject ?? '',
    date: receivedAt.toISOString(),
    text,
    html,
    headers,
    links: linksOf(text, html),
    attachments: mail.attachments.map((attachment) => ({
      name: attachment.filename ?? 'unnamed',
      type: attachment.contentType,
      bytes: attachment.size,
    })),
  };
}

/** What counts as a link in plain text; trailing punctuation belongs to the sentence. */
export const LINK_IN_TEXT = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

function headersOf(mail: ParsedMail): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const { key, line } of mail.headerLines) {
    const value = decoded(mail, key) ?? line.slice(line.indexOf(':') + 1).trim();
    const earlier = headers[key];
    headers[key] = earlier === undefined || earlier === value ? value : `${earlier}\n${value}`;
  }
  return { ...headers };
}

function decoded(mail: ParsedMail, key: string): string | undefined {
  const value = mail.headers.get(key);
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join('\n');
  if (value !== undefined && 'text' in value && typeof value.text === 'string') return value.text;
  return undefined;
}

function linksOf(text: string | null, html: string | null): string[] {
  const inHtml = [...(html ?? '').matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)];
  const hrefs = inHtml.map((match) => (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&'));
  const all = [...(text?.match(LINK_IN_TEXT) ?? []), ...hrefs.filter((href) => /^https?:\/\//i.test(href))];
  return [...new Set(all)];
}
