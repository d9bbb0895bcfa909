import type { ErrorCode } from '@knowledge/runtime';

/** What a call looks like, for the documents. A test asks the running system each of them and compares the answers. */
export interface Example {
  /** Parameters of path, query and headers by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Bodies by a name for each; the answers are to the first. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Answers by status; a text that ends with `…` is cut, and of the highlights the first is shown. */
  readonly responses: Readonly<Record<string, Json>>;
  /** What a failure says here, where it says something else than elsewhere. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether what it shows is there on the site org alone; others are shown on any site. */
  readonly onlyOrg?: boolean;
}

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
