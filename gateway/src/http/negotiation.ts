import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The media types of responses. */
export const mediaTypes = {
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
  text: 'text/plain',
} as const;

export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes];

/**
 * The offered type that `Accept` prefers. The first one wins ties, and is the default where `Accept` is missing or cannot be
 * met (gateway/PROTOCOL.md#negotiation).
 */
export function preferredType<T extends MediaType>(request: FastifyRequest, offered: readonly [T, ...T[]]): T {
  const [first] = offered;
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*') return first;
  const [best] = new Negotiator({ headers: { accept: moveToFront(withoutParameters(accept), first) } }).mediaTypes([
    ...offered,
  ]);
  return (best as T | undefined) ?? first;
}

/** The form of a single text under /api: JSON, or Markdown where it is preferred. */
export function apiForm(request: FastifyRequest): 'json' | 'markdown' {
  return preferredType(request, [mediaTypes.json, mediaTypes.markdown]) === mediaTypes.json ? 'json' : 'markdown';
}

/** Whether the caller of a page prefers Markdown to HTML: an agent, not a browser. */
export function prefersMarkdown(request: FastifyRequest): boolean {
  return preferredType(request, [mediaTypes.html, mediaTypes.markdown]) === mediaTypes.markdown;
}

// Removes parameters such as charset=utf-8, since none of our types has variants.
function withoutParameters(accept: string): string {
  return accept.replace(/;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"[^"]*"|[^;,"]*)/gi, '');
}

// Of types with equal q-values the library prefers the one that the caller names first; we prefer our default.
function moveToFront(accept: string, type: MediaType): string {
  const ranges = accept.split(',');
  const named = ranges.filter((range) => range.trim().toLowerCase().startsWith(type));
  return [...named, ...ranges.filter((range) => !named.includes(range))].join(',');
}
