import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { dayElement } from '../parts/dates.js';
import type { Html } from '../parts/html.js';

/** The requesting agent, by the name that it gave itself. */
export function agentOf({ authorization }: Pick<GetConfirmationResponse, 'authorization'>): Html {
  return <strong>“{authorization?.agentName ?? ''}”</strong>;
}

/** The first words of a sentence: `On` a date, or `Before now`. */
export function onDate(date: Date | undefined): Html {
  return date === undefined ? <>Before now,</> : <>On {dayElement(date)}</>;
}
