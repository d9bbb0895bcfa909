import { type HeaderValue, type ParsedMail, simpleParser } from 'mailparser';

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
    links: linksOf(text ?? '', html ?? ''),
    attachments: mail.attachments.map(({ filename = 'unnamed', contentType, size }) => ({
      name: filename,
      type: contentType,
      bytes: size,
    })),
  };
}

/** A link in plain text, without the punctuation that ends its sentence. */
export const linkInText = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

function headersOf({ headerLines, headers }: ParsedMail): Record<string, string> {
  const raw = (line: string): string => line.slice(line.indexOf(':') + 1).trim();
  return Object.fromEntries(headerLines.map(({ key, line }) => [key, decoded(headers.get(key)) ?? raw(line)]));
}

function decoded(value: HeaderValue | undefined): string | undefined {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join('\n') : undefined;
  if (typeof value === 'object' && 'text' in value) return value.text;
  return typeof value === 'string' ? value : undefined;
}

function linksOf(text: string, html: string): string[] {
  const hrefs = [...html.matchAll(/\bhref\s*=\s*(["'])(https?:\/\/.*?)\1/gi)].map(([, , href = '']) => href);
  return [...new Set([...(text.match(linkInText) ?? []), ...hrefs.map((href) => href.replaceAll('&amp;', '&'))])];
}
