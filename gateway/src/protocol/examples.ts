import type { ErrorCode } from '@knowledge/runtime';
import type { SiteName } from '../upstream/sites.js';
import { type Example, errorExamples } from './example.js';
import type { Operation } from './operation.js';
import { readExamples } from './read-examples.js';
import { writeExamples } from './write-examples.js';

/** The base URL in the examples as they are written; `exampleOf` replaces it with the real one. */
export const exampleBase = 'https://knowledge.example';

/** An example with the base URL of the site on which it works. */
export interface SiteExample extends Omit<Example, 'onlyOrg'> {
  readonly base: string;
}

/** The site for which a document is written, and the base URLs of both sites. */
interface Place {
  readonly site: SiteName;
  readonly bases: Readonly<Record<SiteName, string>>;
}

/** Returns the example of an operation, with the site and the URLs of one document. */
export function exampleOf({ id }: Operation, place: Place): SiteExample {
  const { parameters = {}, bodies = {}, responses = {}, messages = {}, onlyOrg = false } = examples[id] ?? {};
  const site = onlyOrg ? 'org' : place.site;
  const base = place.bases[site];
  const text = JSON.stringify({ parameters, bodies, responses }).replaceAll(exampleBase, base);
  const ofSite = text.replaceAll('"site":"org"', `"site":"${site}"`).replaceAll('site=org', `site=${site}`);
  return { ...(JSON.parse(ofSite) as Omit<SiteExample, 'messages' | 'base'>), messages, base };
}

/** Returns the example message for an error code of an operation. */
export function messageOf(code: ErrorCode, { messages }: Pick<Example, 'messages'>): string {
  return messages[code] ?? errorExamples[code];
}

const examples: Readonly<Record<string, Partial<Example>>> = { ...readExamples, ...writeExamples };
