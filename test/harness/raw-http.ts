import { openRaw } from './raw-connection.js';
import { until } from './until.js';

/** The first response on a raw connection. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the bytes to a server unchanged, and reads the first response. */
export async function sendRaw(base: string, bytes: string | Buffer, ms = 15_000): Promise<RawResponse> {
  const { write, text, over, socket } = await openRaw(base);
  write(bytes);
  const read = () => {
    const [, head = text(), body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(text()) ?? [];
    return { head, body, length: Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY) };
  };
  await until('a response', () => over() || read().body.length >= read().length, ms).catch(() => undefined);
  socket.destroy();
  const { head, body } = read();
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
  return { status, head, body: Buffer.from(body, 'latin1').toString() };
}
