import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, parseMessage } from './message.js';

interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Mails as `.eml` files in one folder, which any mail program opens and which outlive the process. */
export interface MailStore {
  /** Resolves with the id once the mail is in its file. */
  add(envelope: Envelope, mail: Buffer): Promise<string>;
  /** All, newest first. */
  messages(): Promise<Message[]>;
  /** Undefined for an id that is unknown or no id at all. */
  message(id: string): Promise<Message | undefined>;
  raw(id: string): Promise<Buffer | undefined>;
  /** Deletes every mail and says how many there were. */
  clear(): Promise<number>;
}

const ID = /^\d{15}-[0-9a-f]{8}$/;
const CACHED = 500;

/** Opens the folder, making it where it is missing. */
export async function openMailStore(dir: string): Promise<MailStore> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const cache = new Map<string, Message>();
  const fileOf = (id: string): string => join(dir, `${id}.eml`);
  const ids = async (): Promise<string[]> => {
    const names = (await readdir(dir)).filter((file) => file.endsWith('.eml')).map((file) => file.slice(0, -4));
    return names
      .filter((name) => ID.test(name))
      .sort()
      .reverse();
  };
  const raw = async (id: string): Promise<Buffer | undefined> =>
    ID.test(id) ? readFile(fileOf(id)).catch(() => undefined) : undefined;
  const message = async (id: string): Promise<Message | undefined> => {
    const cached = cache.get(id);
    const bytes = cached === undefined ? await raw(id) : undefined;
    if (bytes === undefined) return cached;
    const parsed = await parseMessage(id, bytes, new Date(receivedAt(id)));
    if (cache.size >= CACHED) cache.clear();
    cache.set(id, parsed);
    return parsed;
  };
  let lastReceived = receivedAt((await ids())[0] ?? '0');

  return {
    raw,
    message,
    add: async (envelope, mail) => {
      // Ids sort by time, also when two mails arrive within a millisecond or the clock goes back.
      lastReceived = Math.max(Date.now(), lastReceived + 1);
      const id = `${String(lastReceived).padStart(15, '0')}-${randomBytes(4).toString('hex')}`;
      const temporary = join(dir, `${id}.part`);
      await writeFile(temporary, Buffer.concat([traceHeaders(envelope, lastReceived), mail]), { mode: 0o600 });
      await rename(temporary, fileOf(id));
      return id;
    },
    messages: async () => {
      const all = await Promise.all((await ids()).map(message));
      // Some may have been deleted in between.
      return all.filter((each) => each !== undefined);
    },
    clear: async () => {
      const all = await ids();
      await Promise.all(all.map((id) => rm(fileOf(id), { force: true })));
      cache.clear();
      return all.length;
    },
  };
}

function receivedAt(id: string): number {
  return Number.parseInt(id, 10);
}

/** What a mail server adds at delivery: the envelope is not a part of the mail itself. */
function traceHeaders({ from, to }: Envelope, received: number): Buffer {
  const date = new Date(received).toUTCString().replace('GMT', '+0000');
  const lines = [
    `Return-Path: <${from}>`,
    `X-Original-To: ${to.join(', ')}`,
    `Received: by mailbox.localhost; ${date}`,
  ];
  return Buffer.from(`${lines.map((line) => line.replaceAll(/[\r\n]/g, ' ')).join('\r\n')}\r\n`);
}
