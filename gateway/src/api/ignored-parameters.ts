import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { didYouMean } from './validation/did-you-mean.js';
import { shownName } from './validation/shown-name.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters that the operation of a route takes. */
    readonly queryParameters?: readonly string[];
  }
}

/** Names the ignored query parameters of a listing, so that no agent believes its response is filtered. */
export interface IgnoredParameters {
  readonly ignored_parameters: readonly string[];
  readonly known_parameters: readonly string[];
}

const maxNamed = 10;

/** The query parameters of a request that its operation ignores; undefined if it knows all of them. */
export function ignoredParameters({ query, routeOptions }: FastifyRequest): IgnoredParameters | undefined {
  const known = routeOptions.config.queryParameters ?? [];
  const ignored = Object.keys(query as object).filter((name) => !known.includes(name));
  if (ignored.length === 0) return undefined;
  const shown = ignored.slice(0, maxNamed).map(shownName);
  return { ignored_parameters: shown, known_parameters: known };
}

/** Refuses unknown query parameters: with a misspelled `site`, a write would go to the wrong site. */
export async function refuseUnknownParameters(request: FastifyRequest): Promise<void> {
  const { ignored_parameters: unknown = [], known_parameters: known = [] } = ignoredParameters(request) ?? {};
  if (unknown.length === 0) return;
  const named = unknown.map((name) => `${name}: is not a known parameter here${didYouMean(name, known)}`);
  throw new KnowledgeError('validation_error', `${named.join('; ')}. Known parameters: ${known.join(', ')}.`);
}

/** Adds fields at the end of a JSON object without parsing it, since it may be large. */
export function withFields(body: Buffer, fields: object): Buffer {
  const end = body.lastIndexOf('}');
  return Buffer.concat([body.subarray(0, end), Buffer.from(`,${JSON.stringify(fields).slice(1)}`)]);
}
