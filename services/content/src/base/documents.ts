import { sites, type Transition } from '@knowledge/runtime';
import { date, objectOf, text, whole } from '@knowledge/runtime/mongodb';

/** A transition that is stored inside another document. */
export interface TransitionDocument extends Transition {
  /** The request id of a deletion. It lets the service recognise a repeated request. */
  requestId?: string;
}

/** The BSON types of what stands in documents of several collections. */
export const site = { enum: [...sites] };

export const transition = objectOf(
  { from: text, to: text, actor: text, at: date, reason: text, revision: whole, requestId: text },
  ['requestId'],
);

/** The English gloss of a text. */
export const gloss = objectOf({
  title: text,
  summary: text,
  writtenForRevision: whole,
  updatedAt: date,
  updatedBy: text,
});
