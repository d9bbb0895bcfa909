import { refuse } from '@knowledge/runtime';
import { distance } from 'fastest-levenshtein';
import type { FastifyRequest } from 'fastify';
import { shownName } from '../http/body-parsing.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters that the route's operation uses. A listing ignores all others, a submission refuses them. */
    readonly queryParameters?: readonly string[];
  }
}

/** Names the query parameters that a listing ignored, so that no agent believes that they filtered the response. */
export interface IgnoredParameters {
  readonly ignored_parameters: readonly string[];
  readonly known_parameters: readonly string[];
  readonly ignored_hint: string;
}

const maxNamed = 10;

/** Finds the query parameters that the operation ignores; undefined if there are none. */
export function ignoredParameters({ query, routeOptions }: FastifyRequest): IgnoredParameters | undefined {
  const known = routeOptions.config.queryParameters ?? [];
  const ignored = Object.keys(query as object).filter((name) => !known.includes(name));
  if (ignored.length === 0) return undefined;
  const shown = ignored.slice(0, maxNamed).map(shownName);
  const named = shown.map((name) => `${name}${didYouMean(name, known)}`);
  return { ignored_parameters: shown, known_parameters: known, ignored_hint: `Without effect: ${named.join(', ')}.` };
}

/** Refuses unknown query parameters. If `site` is misspelled, a write would go to the wrong site. */
export async function refuseUnknownParameters(request: FastifyRequest): Promise<void> {
  const { ignored_parameters: unknown = [], known_parameters: known = [] } = ignoredParameters(request) ?? {};
  if (unknown.length === 0) return;
  const named = unknown.map((name) => `${name}: is not a known parameter here${didYouMean(name, known)}`);
  refuse(`${named.join('; ')}. Known parameters: ${known.join(', ')}`);
}

/** Adds fields after `ok`, where no cut of a large answer loses them. It does not parse the object. */
export function withFields(body: Buffer, fields: object): Buffer {
  const at = body.indexOf(',');
  return Buffer.concat([
    body.subarray(0, at),
    Buffer.from(`,${JSON.stringify(fields).slice(1, -1)}`),
    body.subarray(at),
  ]);
}

/** Makes a hint such as ` (did you mean title?)`; an empty text if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const start = name.slice(0, 60);
  const [nearest] = known.map((each) => ({ each, slips: slips(each, start) })).sort((a, b) => a.slips - b.slips);
  return nearest !== undefined && nearest.slips <= Math.max(1, start.length / 4)
    ? ` (did you mean ${nearest.each}?)`
    : '';
}

// Counts typing mistakes. Swapped letters, as in `titel`, count as one; a shortened name, such as `lang`, as none.
function slips(known: string, name: string) {
  if (name.length > 1 && known.startsWith(name)) return 0;
  return sorted(known) === sorted(name) ? Math.min(1, distance(known, name)) : distance(known, name);
}

function sorted(name: string) {
  return [...name].sort().join('');
}
