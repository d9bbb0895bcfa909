import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

/** A response with its parsed body. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
  readonly json: any;
}

/** Sends a request and reads the whole response. Parses the body if its media type is JSON. */
export async function call(url: string, init: RequestInit = {}): Promise<HttpResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** The headers of a browser that opens a page. */
export const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

export function bearer(token = ''): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Makes the headers of a new reader, whose quota is unused. */
export function freshReader(): Record<string, string> {
  return { 'x-agent-client-id': `reader-${randomUUID()}` };
}

/**
 * Checks that a failure contains only `ok`, `error` and perhaps `message`, and no internal details. With `words` the
 * message has them.
 */
export function expectFailure(answer: HttpResponse, status: number, error: string, words: string | RegExp = ''): void {
  expect({ status: answer.status, error: answer.json?.error }).toEqual({ status, error });
  if (typeof words !== 'string') expect(answer.json.message).toMatch(words);
  else if (words !== '') expect(answer.json.message).toContain(words);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.json.ok).toBe(false);
  expect(Object.keys(answer.json).filter((key) => !['ok', 'error', 'message'].includes(key))).toEqual([]);
  expect(answer.text).not.toMatch(/node_modules|\/src\/|\bat .*\.js:|127\.0\.0\.1:\d+|ECONN|mongodb:|grpc/i);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  const ofDay = status === 429 && /next day begins|no further mail is sent/.test(answer.json.message);
  if (ofDay) expect(answer.headers.has('retry-after')).toBe(false);
  else if (status === 429 || status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

/** Checks that a text has all these words. */
export function expectWords(text: string | null | undefined, ...words: string[]): void {
  for (const each of words) expect(text).toContain(each);
}

/** Checks the status of a page, and what it shows. */
export function expectPage(
  { status, text }: Pick<HttpResponse, 'status' | 'text'>,
  expected: number,
  ...words: string[]
) {
  expect(status, text).toBe(expected);
  expectWords(text, ...words);
}
