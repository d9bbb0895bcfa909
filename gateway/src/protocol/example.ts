import type { ErrorCode } from '@knowledge/runtime';

/** An example of a call, for the documents. A test makes each call to a running system and compares the responses. */
export interface Example {
  /** Parameters of path, query and headers by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Bodies by a name for each; the responses are to the first. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Responses by status. A text that ends with `…` is cut, and only the first highlight is shown. */
  readonly responses: Readonly<Record<string, Json>>;
  /** Messages of failures by code, where they differ from `errorExamples`. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether only the site org has what the example shows. */
  readonly onlyOrg?: boolean;
}

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
