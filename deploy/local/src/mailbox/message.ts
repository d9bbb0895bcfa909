import { type ParsedMail, simpleParser } from 'mailparser';

/** One received mail as programs see it at `/api/messages/:id`. */
export interface ReceivedMail {
  readonly id: string;
  /** The sender's address from the `From` header. */
  readonly from: string;
  /** The recipients of the SMTP envelope. */
  readonly to: readonly string[];
  readonly subject: string;
  /** When the mailbox received it (RFC 3339). */
  readonly date: string;
  /** The plain text part; null without one. */
  readonly text: string | null;
  /** The HTML part; null without one. */
  readonly html: string | null;
  /** Decoded values by lower-case name; repeated headers are joined by a line break. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every http(s) link in text and HTML, without duplicates, in order. */
  readonly links: readonly string[];
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: number }[];
}

/** Parses a stored mail. The mailbox has put the SMTP envelope into headers before it. */
export async function parseReceivedMail(id: string, raw: Buffer, receivedAt: Date): Promise<ReceivedMail> {
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

/** A link in plain text, without the punctuation that ends its sentence. */
export const linkInText = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

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
  const all = [...(text?.match(linkInText) ?? []), ...hrefs.filter((href) => /^https?:\/\//i.test(href))];
  return [...new Set(all)];
}
