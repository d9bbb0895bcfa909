import type { ErrorCode } from '@knowledge/runtime';

/** An example of a call, which the documents show. A test sends each example and compares the responses. */
export interface Example {
  /** The values of path parameters, query parameters and headers, by name. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Example bodies, each with a name. The example responses belong to the first body. */
  readonly bodies: Readonly<Record<string, Json>>;
  /** Responses by status. A text that ends with `…` is cut, and a list shows only its first highlight. */
  readonly responses: Readonly<Record<string, Json>>;
  /** Example messages of failures by code, if they differ from `errorExamples`. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
  /** Whether the content of the example exists only on the site org. */
  readonly onlyOrg?: boolean;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
