import type { Prompt } from '../domain/prompt.js';
import type { Site } from '../domain/site.js';

/** A thing of the domain as it is kept: its id is `_id`. */
export type Stored<Thing extends { id: string }> = Omit<Thing, 'id'> & { _id: string };

/** A prompt with what its workers look for. */
export type PromptDocument = Stored<Prompt> & {
  /** When the clock next changes it. */
  dueAt: Date | null;
  /** Whether it has transitions that the log may lack. */
  logPending?: true;
};

/** What every change of a site's prompts writes, so that two at once are one after the other. */
export interface SiteDocument {
  _id: Site;
  promptChanges: number;
}

/** Splits a thing for the database. */
export function store<Thing extends { id: string }>({ id, ...rest }: Thing): Stored<Thing> {
  return { _id: id, ...rest };
}
