import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

export const mediaTypes = {
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
  text: 'text/plain',
  events: 'text/event-stream',
} as const;

export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

/**
 * Returns the offered type that `Accept` prefers. The first offered type wins ties. It is also the default, if `Accept`
 * is missing or allows none of them (gateway/PROTOCOL.md#negotiation).
 */
export function preferredType<T extends MediaType>(request: FastifyRequest, offered: readonly [T, ...T[]]): T {
  const { accept } = request.headers;
  return (accept === undefined ? undefined : acceptedType(accept, offered)) ?? offered[0];
}

/** The offered type that `Accept` prefers, of equals the first; undefined if it allows none. */
function acceptedType<T extends MediaType>(accept: string, offered: readonly [T, ...T[]]) {
  if (accept === '*/*') return offered[0];
  // Browsers send about 130 characters. The library reads each range again for every offered type.
  if (accept.length > 1_024) return undefined;
  const ranges = moveToFront(withoutParameters(accept), offered[0]);
  return new Negotiator({ headers: { accept: ranges } }).mediaTypes([...offered])[0] as T | undefined;
}

/** The form of one article or object under /api: JSON, or Markdown if `Accept` prefers it. */
export function apiForm(request: FastifyRequest): 'json' | 'markdown' {
  return preferredType(request, [mediaTypes.json, mediaTypes.markdown]) === mediaTypes.json ? 'json' : 'markdown';
}

/** Whether the caller of a page prefers Markdown to HTML, as agents do and browsers do not. */
export function prefersMarkdown(request: FastifyRequest): boolean {
  // On equal q-values Markdown wins if it is named, since no browser names it.
  const { accept = '' } = request.headers;
  if (!/text\/markdown/i.test(accept)) return false;
  return acceptedType(accept, [mediaTypes.markdown, mediaTypes.html]) === mediaTypes.markdown;
}

// Removes parameters such as charset=utf-8, because no type that we offer has variants.
function withoutParameters(accept: string) {
  return accept.replace(/;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"[^"]*"|[^;,"]*)/gi, '');
}

// If two types have equal q-values, the library prefers the first in `Accept`. Moving our default there makes it win.
function moveToFront(accept: string, type: MediaType) {
  const ranges = accept.split(',');
  const isNamed = (range: string) => range.trim().toLowerCase().startsWith(type);
  return [...ranges.filter(isNamed), ...ranges.filter((range) => !isNamed(range))].join(',');
}
