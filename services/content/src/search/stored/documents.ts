import type { CollectionDeclaration } from '@knowledge/runtime/mongodb';
import { Binary, type Collection, type Db, type Long } from 'mongodb';
import type { IndexedFacts } from '../index/fact-columns.js';
import type { IndexedText, NewText, RevisionBlocks } from './new-text.js';
import { fieldLengths } from './text-words.js';

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
  /** The first blocks of the body (kept-blocks.ts), with the revision of the text. */
  readonly blocks: string[];
  readonly places: Binary | Uint8Array;
  readonly revision: number;
}

/** A document in `search_postings`: the texts of one block that have one term. */
export interface PostingsDocument {
  /** The block and the term. */
  readonly _id: string;
  readonly term: string;
  readonly block: number;
  readonly postings: Binary | Uint8Array;
}

/** A document in `search_steps`: a step that is not merged into the other collections yet. */
export interface StepDocument {
  /** The fill and the position before the step. */
  readonly _id: string;
  readonly from: Long | number;
  readonly to: Long | number;
  readonly texts: readonly StoredStepText[];
}

/** A text after a step; without words if it is gone. */
export interface StoredStepText {
  readonly key: string;
  readonly number: number;
  readonly bytes?: number;
  readonly facts?: Omit<IndexedFacts, 'key'>;
  readonly words?: Omit<StoredWordsDocument, '_id'>;
}

/** A document in `search_index`: how far the stored index has come. */
export interface IndexStateDocument {
  readonly _id: typeof stateId | typeof olderStateId;
  /** The way in which the words are prepared, and the form of the documents. */
  readonly version: number;
  /** The name of this fill of the index. */
  readonly fill?: string;
  /** Every change up to this position is in the index or in a step, once it is filled. */
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

/** A document in `search_index`: which steps are merged. It is apart from the state, so that no step waits for a merge. */
export interface MergedDocument {
  readonly _id: typeof mergedId;
  readonly fill: string;
  /** Every change up to this position of the log is merged. */
  readonly position: Long | number;
  /** The replica that merges. */
  readonly lease?: { readonly owner: string; readonly until: Date };
}

export const stateId = 'state';
export const mergedId = 'merged';
/** The state of an index without steps. */
export const olderStateId = 'index';

/** The collections of the stored index. They can be dropped: the index is then filled again. */
export interface StoredIndexCollections {
  readonly texts: Collection<StoredTextDocument>;
  readonly words: Collection<StoredWordsDocument>;
  readonly postings: Collection<PostingsDocument>;
  readonly steps: Collection<StepDocument>;
  readonly state: Collection<IndexStateDocument>;
  readonly merged: Collection<MergedDocument>;
}

export function storedIndexCollections(db: Db): StoredIndexCollections {
  return {
    texts: db.collection('search_texts'),
    words: db.collection('search_words'),
    postings: db.collection('search_postings'),
    steps: db.collection('search_steps'),
    state: db.collection('search_index'),
    merged: db.collection('search_index'),
  };
}

/** The number of texts of a block. */
export const blockSize = 2048;

/** The postings of terms. A query names it as a hint. */
export const termsIndex = 'terms';

/** The facts of a text with this number. */
export function toDocument({ facts, words, bytes }: IndexedText, number: number): StoredTextDocument {
  const { key, tags, ...rest } = facts;
  return { _id: key, number, ...rest, tags: [...tags], lengths: fieldLengths(words), bytes };
}

export function postingsId(block: number, term: string): string {
  return `${block.toString(16).padStart(6, '0')}/${term}`;
}

export function bytesOf({ postings }: Pick<PostingsDocument, 'postings'>): Uint8Array {
  return toBytes(postings);
}

function toBytes(value: Binary | Uint8Array): Uint8Array {
  return value instanceof Binary ? value.buffer : value;
}

export function toWords({ words, shown }: Pick<NewText, 'words' | 'shown'>): Omit<StoredWordsDocument, '_id'> {
  const { blocks, places, revision } = shown;
  return { ...words, blocks: [...blocks], places: new Binary(places), revision };
}

export function shownOf({
  blocks,
  places,
  revision,
}: Pick<StoredWordsDocument, 'blocks' | 'places' | 'revision'>): RevisionBlocks {
  return { blocks, places: toBytes(places), revision };
}

/** A change of the words of a text needs no more of them. */
export const onlyWords = { prepared: 1, german: 1 } as const;

/** Whether the time of a lease is over. */
export const expired = { $lt: ['$lease.until', '$$NOW'] };

/** A time after now, by the clock of the database. */
export function inSeconds(amount: number): object {
  return { $dateAdd: { startDate: '$$NOW', unit: 'second', amount } };
}

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
        required: ['prepared', 'german', 'blocks', 'places', 'revision'],
        properties: {
          ...{ _id: whole, prepared: text, german: text, revision: whole },
          ...{ blocks: { bsonType: 'array', items: text }, places: { bsonType: 'binData' } },
        },
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
    name: 'search_steps',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['from', 'to', 'texts'],
        properties: { _id: text, from: whole, to: whole, texts: { bsonType: 'array' } },
      },
    },
  },
  { name: 'search_index', validator: { $jsonSchema: { bsonType: 'object', required: ['position'] } } },
];
