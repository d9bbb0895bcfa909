import type { ErrorCode } from '@knowledge/runtime';
import type { SiteName } from '../upstream/sites.js';
import { errorExamples } from './error-examples.js';
import type { Operation } from './operation.js';
import { readExamples } from './read-examples.js';
import { writeExamples } from './write-examples.js';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What a call looks like, for the documents. A test asks the running system each of them and compares the answers. */
export interface Example {
  /** Parameters of path, query and headers by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Bodies by a name for each; the answers are to the first. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Answers by status; a text that ends with `…` is cut, and of the highlights the first is shown. */
  readonly answers: Readonly<Record<string, Json>>;
  /** What a failure says here, where it says something else than elsewhere. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether what it shows is there on the site org alone; others are shown on any site. */
  readonly onlyOrg?: boolean;
}

/** The base URL that examples are written with; `exampleOf` puts the real one in its place. */
export const exampleBase = 'https://knowledge.example';

/** An example with the base URL at which it can be called. */
export interface SiteExample extends Omit<Example, 'onlyOrg'> {
  readonly base: string;
}

/** Where a document is read. */
interface Place {
  readonly site: SiteName;
  readonly bases: Readonly<Record<SiteName, string>>;
}

/** The example of an operation, with the URLs of a site. */
export function exampleOf({ id }: Operation, place: Place): SiteExample {
  const { parameters = {}, bodies = {}, answers = {}, messages = {}, onlyOrg = false } = examples[id] ?? {};
  const site = onlyOrg ? 'org' : place.site;
  const base = place.bases[site];
  const text = JSON.stringify({ parameters, bodies, answers }).replaceAll(exampleBase, base);
  const ofSite = text.replaceAll('"site":"org"', `"site":"${site}"`).replaceAll('site=org', `site=${site}`);
  return { ...(JSON.parse(ofSite) as Omit<SiteExample, 'messages' | 'base'>), messages, base };
}

/** What a failure of an operation says. */
export function messageOf(code: ErrorCode, { messages }: Pick<Example, 'messages'>): string {
  return messages[code] ?? errorExamples[code];
}

const examples: Readonly<Record<string, Partial<Example>>> = { ...readExamples, ...writeExamples };
