import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import type { Binary, Collection, Db, Long } from 'mongodb';
import type { IndexedFacts } from '../index/fact-columns.js';

/** A document in `search_texts`: the facts of a published text, under its key. */
export interface StoredTextDocument extends Omit<IndexedFacts, 'key' | 'tags'> {
  readonly _id: string;
  /** Its number in the index. */
  readonly number: number;
  readonly tags: string[];
  readonly lengths: number[];
  readonly bytes: number;
}

/** A document in `search_words`: the prepared words of the text with this number. */
export interface StoredWordsDocument {
  readonly _id: number;
  readonly prepared: string;
  readonly german: string;
}

/** A document in `search_postings`: the texts of one block that have one term. */
export interface PostingsDocument {
  /** The block and the term. */
  readonly _id: string;
  readonly term: string;
  readonly block: number;
  readonly postings: Binary | Uint8Array;
}

/** The only document in `search_index`: how far the stored index has come. */
export interface IndexStateDocument {
  readonly _id: typeof stateId;
  /** The way in which the words are prepared. */
  readonly version: number;
  /** Every change up to this position of the log is in the index, once it is filled. */
  readonly position: Long | number;
  readonly isFilled: boolean;
  /** How many blocks are filled, and the key of the last text in them. */
  readonly blocks: number;
  readonly cursor: string;
  /** How much memory the texts would need in the index in memory. */
  readonly textBytes: Long | number;
  /** The replica that fills the index. */
  readonly lease?: { readonly owner: string; readonly until: Date };
}

export const stateId = 'index';

/** The collections of the stored index. They can be dropped: the index is then filled again. */
export interface StoredIndexCollections {
  readonly texts: Collection<StoredTextDocument>;
  readonly words: Collection<StoredWordsDocument>;
  readonly postings: Collection<PostingsDocument>;
  readonly state: Collection<IndexStateDocument>;
}

export function storedIndexCollections(db: Db): StoredIndexCollections {
  return {
    texts: db.collection('search_texts'),
    words: db.collection('search_words'),
    postings: db.collection('search_postings'),
    state: db.collection('search_index'),
  };
}

/** The postings of terms. A query names it as a hint. */
export const termsIndex = 'terms';

const text = { bsonType: 'string' };
const whole = { bsonType: ['int', 'long'] };

/** The collections of the search index in the database, which stay empty while the index fits into memory. */
export const storedIndexSchema: readonly CollectionDeclaration[] = [
  {
    name: 'search_texts',
    validator: { $jsonSchema: { bsonType: 'object', required: ['number', 'site', 'kind', 'lengths', 'bytes'] } },
  },
  {
    name: 'search_words',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['prepared', 'german'],
        properties: { _id: whole, prepared: text, german: text },
      },
    },
  },
  {
    name: 'search_postings',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['term', 'block', 'postings'],
        properties: { _id: text, term: text, block: whole, postings: { bsonType: 'binData' } },
      },
    },
    indexes: [{ name: termsIndex, key: { term: 1, block: 1 } }],
  },
  {
    name: 'search_index',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['version', 'position', 'isFilled', 'blocks', 'cursor', 'textBytes'],
      },
    },
  },
];
