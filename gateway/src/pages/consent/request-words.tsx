import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { day } from '../parts/dates.js';
import type { Html } from '../parts/html.js';

/** The agent that asks, by the name that it gave itself. */
export function agentOf({ authorization }: Pick<GetConfirmationResponse, 'authorization'>): Html {
  return <strong>“{authorization?.agentName ?? ''}”</strong>;
}

/** The beginning of a sentence about something that happened on a date. */
export function on(date: Date | undefined): Html {
  return date === undefined ? <>Before now,</> : <>On {day(date)}</>;
}
