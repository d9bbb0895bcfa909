import type { SiteName } from '../sites.js';
import type { Operation } from './operation.js';
import { readExamples } from './read-examples.js';
import { writeExamples } from './write-examples.js';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What a call looks like, for the documents. */
export interface Example {
  /** Parameters of path, query and headers by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Bodies by a name for each. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, Json>>;
  /** Whether it can only be of the site org; others are shown on any site. */
  readonly onlyOrg?: boolean;
}

/** The base URL that examples are written with; `exampleOf` puts the real one in its place. */
export const exampleBase = 'https://knowledge.example';

/** The example of an operation, with the URLs of a site. */
export function exampleOf({ id }: Operation, { base, site }: { base: string; site: SiteName }): Example {
  const { parameters = {}, bodies = {}, answers = {}, onlyOrg = false } = examples[id] ?? {};
  const text = JSON.stringify({ parameters, bodies, answers }).replaceAll(exampleBase, base);
  const ofSite = onlyOrg
    ? text
    : text.replaceAll('"site":"org"', `"site":"${site}"`).replaceAll('site=org', `site=${site}`);
  return JSON.parse(ofSite) as Example;
}

const examples: Readonly<Record<string, Partial<Example>>> = { ...readExamples, ...writeExamples };
