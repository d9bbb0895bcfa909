import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { dayElement, type Fragment, type Html } from '@knowledge/runtime/html';

/** What the page of a decided or ended request shows. */
export interface RequestView {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The link to the access page; only right after a confirmation. */
  readonly accessUrl?: string | undefined;
  /** Whether this HTTP request made the decision. */
  readonly justNow?: boolean | undefined;
  /** The number of waiting texts that this HTTP request withdrew; undefined if unknown. */
  readonly withdrawn?: number | undefined;
}

/** The requesting agent, by the name that it gave itself. */
export function agentOf({ authorization }: Pick<GetConfirmationResponse, 'authorization'>): Html {
  return <strong>“{authorization?.agentName ?? ''}”</strong>;
}

/** Begins a sentence: `On 1 June 2026`, or `Before now,` if the date is unknown. */
export function onDate(date: Date | undefined): Fragment {
  return date === undefined ? 'Before now,' : ['On ', dayElement(date)];
}
