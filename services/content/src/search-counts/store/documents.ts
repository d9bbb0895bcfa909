import type { Site } from '@knowledge/runtime';
import type { Binary, Collection, Db, Long } from 'mongodb';

/** A document in `search_counts`: the readers of one search in one week. */
export interface SearchCountDocument {
  /** A hash of the words with the salt of the week. It says nothing once the salt is deleted. */
  readonly _id: string;
  /** The words. They are stored only once five different readers have searched for them. */
  readonly words?: string;
  readonly searched: Long | bigint;
  readonly missed?: Long | bigint;
  readonly read?: Long | bigint;
  readonly expireAt: Date;
}

/** A document in `search_salts`: the salt of a week, which is deleted when the week ends. */
export interface SearchSaltDocument {
  /** The number of the week. */
  readonly _id: string;
  readonly salt: Binary;
  readonly expireAt: Date;
}

/** A document in `read_counts`: the reads of one article on one day. */
export interface ReadCountDocument {
  /** Day, site and slug, for example `2026-06-01/org/rolling-out-sso`. */
  readonly _id: string;
  readonly site: Site;
  readonly slug: string;
  readonly reads: number;
  /** The last batches that were added. */
  readonly batches: readonly string[];
  readonly expireAt: Date;
}

export interface SearchCountCollections {
  readonly reads: Collection<ReadCountDocument>;
  readonly counts: Collection<SearchCountDocument>;
  readonly salts: Collection<SearchSaltDocument>;
}

/** Returns the typed collections of a database. */
export function searchCountCollections(db: Db): SearchCountCollections {
  return {
    reads: db.collection('read_counts'),
    counts: db.collection('search_counts'),
    salts: db.collection('search_salts'),
  };
}
