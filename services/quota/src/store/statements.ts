import type { Document } from 'mongodb';
import type { CounterDocument } from './counter-document.js';

/**
 * Converts a deadline to the clock of the database. A later write must have no effect. Undefined if that clock is unknown;
 * then a write that arrives too late counts until it is given back.
 */
export type LastMoment = (deadline: number) => Date | undefined;

/** One statement of an update command. Each statement is applied alone, in the order of the command. */
export interface Statement {
  readonly q: Document;
  readonly u: Document | Document[];
  readonly upsert?: boolean;
}

/**
 * Inserts a counter. If there is one already, it matches it and changes nothing. After `lastMoment` by the server's clock
 * it fails, because the document would be invalid.
 */
export function insertion(counter: CounterDocument, lastMoment: Date | undefined): Statement {
  const { _id, ...fields } = counter;
  if (lastMoment === undefined) return { q: { _id }, u: { $setOnInsert: fields }, upsert: true };
  const stays = { $or: [{ $gt: ['$$NOW', lastMoment] }, { $gt: ['$window', null] }] };
  return { q: { _id }, u: [{ $replaceWith: { $cond: [stays, '$$ROOT', { $literal: counter }] } }], upsert: true };
}

/** New ids for a counter. It must still have this window, this number of ids, and none of the new ones. */
export interface Append {
  readonly key: string;
  readonly window: number;
  readonly count: number;
  readonly ids: readonly string[];
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment?: Date | undefined;
}

/** Adds ids to a counter. If the counter is not as expected, it matches none. */
export function appending({ key, window, count, ids, lastMoment }: Append): Statement {
  return {
    q: {
      _id: key,
      window: new Date(window),
      grants: { $size: count, $nin: ids },
      ...(lastMoment && { $expr: { $lte: ['$$NOW', lastMoment] } }),
    },
    u: { $push: { grants: { $each: ids } } },
  };
}

/** An upsert of one counter by an update pipeline. */
export interface PipelineUpsert {
  key: string;
  pipeline: Document[];
}

export function upserting({ key, pipeline }: PipelineUpsert): Statement {
  return { q: { _id: key }, u: pipeline, upsert: true };
}
