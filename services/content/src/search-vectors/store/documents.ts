import type { Binary, Collection, Db, Long } from 'mongodb';

/** A document in `text_vectors`, under the key of its text. All of it can be computed again. */
export interface TextVectorsDocument {
  readonly _id: string;
  readonly model: string;
  readonly dimensions: number;
  /** Identifies the pieces of the text from which the vectors were computed. */
  readonly hash: string;
  /** The text has every change up to this position of the change log. */
  readonly position: Long | number;
  /** How many of the vectors belong to the head of the text. They come first. */
  readonly heads: number;
  /** All vectors, one after the other, as 32-bit numbers (BSON vector). */
  readonly vectors: Binary;
  /** By the clock of the database. */
  readonly writtenAt: Date;
}

/** The document in `text_vector_leases`: which process computes vectors, and until when. */
export interface VectorLeaseDocument {
  readonly _id: 'writer';
  readonly holder: string;
  readonly until: Date;
}

export interface TextVectorCollections {
  readonly vectors: Collection<TextVectorsDocument>;
  readonly leases: Collection<VectorLeaseDocument>;
}

/** Returns the typed collections of a database. */
export function textVectorCollections(db: Db): TextVectorCollections {
  return { vectors: db.collection('text_vectors'), leases: db.collection('text_vector_leases') };
}
