import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HeaderValue, type ParsedMail, simpleParser } from 'mailparser';

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Stores mails as `.eml` files in one folder; any mail program can open them. */
export interface MailStore {
  /** Resolves with the id of the mail once it is on disk. */
  add(envelope: Envelope, mail: Buffer): Promise<string>;
  /** All mails, newest first. */
  messages(): Promise<ReceivedMail[]>;
  /** Undefined if the id is unknown or malformed. */
  message(id: string): Promise<ReceivedMail | undefined>;
  raw(id: string): Promise<Buffer | undefined>;
  /** Deletes all mails and returns their number. */
  clear(): Promise<number>;
}

const fileName = /^(\d{15}-[0-9a-f]{8})\.eml$/;
const mostCached = 500;

/** Opens the folder, or creates it. */
export async function openMailStore(dir: string): Promise<MailStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const cache = new Map<string, ReceivedMail>();
  const ids = async () =>
    (await readdir(dir))
      .flatMap((file) => fileName.exec(file)?.[1] ?? [])
      .sort()
      .reverse();
  const raw = async (id: string): Promise<Buffer | undefined> =>
    fileName.test(`${id}.eml`) ? readFile(join(dir, `${id}.eml`)).catch(() => undefined) : undefined;
  const message = async (id: string) => {
    const cached = cache.get(id);
    const bytes = cached === undefined ? await raw(id) : undefined;
    if (bytes === undefined) return cached;
    const parsed = await parseReceivedMail(id, bytes, new Date(receivedAt(id)));
    cache.set(id, parsed);
    const [oldest = ''] = cache.keys();
    if (cache.size > mostCached) cache.delete(oldest);
    return parsed;
  };
  let lastReceived = receivedAt((await ids())[0] ?? '0');

  return {
    raw,
    message,
    add: async (envelope, mail) => {
      // Ids sort by arrival, even if two mails arrive within a millisecond or the clock goes back.
      lastReceived = Math.max(Date.now(), lastReceived + 1);
      const id = `${String(lastReceived).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
      const temporary = join(dir, `${id}.part`);
      await writeFile(temporary, Buffer.concat([traceHeaders(envelope, lastReceived), mail]), { mode: 0o600 });
      await rename(temporary, join(dir, `${id}.eml`));
      return id;
    },
    messages: async () => {
      const all = await Promise.all((await ids()).map(message));
      // Mails may have been deleted since they were listed.
      return all.filter((each) => each !== undefined);
    },
    clear: async () => {
      const all = await ids();
      await Promise.all(all.map((id) => rm(join(dir, `${id}.eml`), { force: true })));
      cache.clear();
      return all.length;
    },
  };
}

function receivedAt(id: string) {
  return Number.parseInt(id, 10);
}

/** The headers that a mail server adds at delivery, since the envelope is no part of the mail. */
function traceHeaders({ from, to }: Envelope, received: number): Buffer {
  const date = new Date(received).toUTCString().replace('GMT', '+0000');
  const lines = [
    `Return-Path: <${from}>`,
    `X-Original-To: ${to.join(', ')}`,
    `Received: by mailbox.localhost; ${date}`,
  ];
  return Buffer.from(`${lines.map((line) => line.replaceAll(/[\r\n]/g, ' ')).join('\r\n')}\r\n`);
}

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
async function parseReceivedMail(id: string, raw: Buffer, receivedAt: Date): Promise<ReceivedMail> {
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
  const raw = (line: string) => line.slice(line.indexOf(':') + 1).trim();
  return Object.fromEntries(headerLines.map(({ key, line }) => [key, decoded(headers.get(key)) ?? raw(line)]));
}

function decoded(value: HeaderValue | undefined) {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value.join('\n') : undefined;
  if (typeof value === 'object' && 'text' in value) return value.text;
  return typeof value === 'string' ? value : undefined;
}

function linksOf(text: string, html: string) {
  const hrefs = [...html.matchAll(/\bhref\s*=\s*(["'])(https?:\/\/.*?)\1/gi)].map(([, , href = '']) => href);
  return [...new Set([...(text.match(linkInText) ?? []), ...hrefs.map((href) => href.replaceAll('&amp;', '&'))])];
}
