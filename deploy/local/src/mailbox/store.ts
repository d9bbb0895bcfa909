import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseReceivedMail, type ReceivedMail } from './message.js';

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
  const ids = async (): Promise<string[]> =>
    (await readdir(dir))
      .flatMap((file) => fileName.exec(file)?.[1] ?? [])
      .sort()
      .reverse();
  const raw = async (id: string): Promise<Buffer | undefined> =>
    fileName.test(`${id}.eml`) ? readFile(join(dir, `${id}.eml`)).catch(() => undefined) : undefined;
  const message = async (id: string): Promise<ReceivedMail | undefined> => {
    const cached = cache.get(id);
    const bytes = cached === undefined ? await raw(id) : undefined;
    if (bytes === undefined) return cached;
    const parsed = await parseReceivedMail(id, bytes, new Date(receivedAt(id)));
    if (cache.size >= mostCached) cache.clear();
    cache.set(id, parsed);
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

function receivedAt(id: string): number {
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
