import type { Collection, Db } from 'mongodb';
import type { GlossRecord } from '../domain/gloss.js';
import type { Synonym } from '../domain/synonym.js';

/** A document in `synonyms`: a group of words, under the id that its editor chose. */
export interface SynonymDocument extends Omit<Synonym, 'id'> {
  readonly _id: string;
}

/**
 * A document in `glosses`: the English gloss of a text, under `article/<site>/<slug>` or `object/<id>`. It stands beside
 * the text, not in it, because a put replaces all of a text and contributions know no glosses.
 */
export interface GlossDocument extends GlossRecord {
  readonly _id: string;
}

/** The collections of the words that editors keep for search. */
export interface SearchWordsCollections {
  readonly synonyms: Collection<SynonymDocument>;
  readonly glosses: Collection<GlossDocument>;
}

/** Returns the typed collections of a database. */
export function searchWordsCollections(db: Db): SearchWordsCollections {
  return { synonyms: db.collection('synonyms'), glosses: db.collection('glosses') };
}
