import { type Attribution, type CallContext, KnowledgeError, type Site } from '@knowledge/runtime';
import type { CollectionDeclaration, TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import type { Gloss } from '../domain/search-words.js';
import { isDeletedBy, type Writer } from '../store/change-log.js';
import { articleId, type Collections } from '../store/documents.js';
import { objectOf } from '../store/schema.js';
import {
  decideGloss,
  decideSynonymPuts,
  decideSynonymRemoval,
  type GlossedText,
  type Synonym,
  type SynonymPut,
  synonymBounds,
} from './domain.js';

/** The name of a text that may have a gloss. */
export type TextName =
  | { readonly subject: 'article'; readonly site: Site; readonly key: string }
  | { readonly subject: 'object'; readonly key: string };

interface StoredText extends GlossedText {
  readonly _id: string;
  readonly site: Site;
  readonly tags?: readonly string[];
}

/** With `validateOnly` a put writes nothing, and says what would happen. */
interface PutCall extends Pick<CallContext, 'signal'> {
  readonly validateOnly: boolean;
}

type Scope = TransactionScope | Pick<CallContext, 'signal'>;

/** Stores the synonyms, and the glosses in their texts. Every change is one transaction with its entry of the log. */
export type SearchWordsStore = ReturnType<typeof createSearchWordsStore>;

export function createSearchWordsStore(
  writer: Writer,
  synonyms: Collection<SynonymDocument>,
  { articles, objects, changes }: Collections,
) {
  const decideSynonyms = async (puts: readonly SynonymPut[], act: Attribution, scope: Scope) => {
    const ids = puts.map(({ id }) => id);
    const stored = (await synonyms.find({ _id: { $in: ids } }, scope).toArray()).map(toSynonym);
    const groups = await synonyms.countDocuments({}, { ...scope, limit: synonymBounds.groups });
    return decideSynonymPuts({ stored, groups }, puts, act);
  };

  const textsOf = ({ subject }: TextName) =>
    (subject === 'article' ? articles : objects) as unknown as Collection<StoredText>;

  const readText = async (name: TextName, scope: Scope) => {
    const _id = name.subject === 'article' ? articleId({ site: name.site, slug: name.key }) : name.key;
    const projection = { site: 1, state: 1, language: 1, revision: 1, tags: 1, gloss: 1 };
    const found = await textsOf(name).findOne({ _id, state: { $ne: 'retracted' } }, { projection, ...scope });
    if (found === null) throw new KnowledgeError('not_found', 'There is no such text.');
    return found;
  };

  return {
    /** Lists all groups, oldest first. */
    async listSynonyms(signal: AbortSignal) {
      const found = synonyms.find({}, { sort: { createdAt: 1, _id: 1 }, limit: synonymBounds.groups, signal });
      return (await found.toArray()).map(toSynonym);
    },

    /** Puts groups, and returns for each what was decided, or why it is refused. */
    async putSynonyms(puts: readonly SynonymPut[], act: Attribution, { signal, validateOnly }: PutCall) {
      if (validateOnly) return decideSynonyms(puts, act, { signal });
      return writer.write(async ({ scope, append }) => {
        const decided = await decideSynonyms(puts, act, scope);
        const changed = decided.flatMap((each) =>
          each.outcome === 'unchanged' || each.outcome === 'refused' ? [] : [each],
        );
        if (changed.length === 0) return decided;
        await append(
          changed.map(({ synonym, transition }) => ({ subject: 'synonyms', key: synonym.id, tags: [], transition })),
          {},
        );
        const writes = changed.map(({ synonym: { id: _id, ...replacement } }) => ({
          replaceOne: { filter: { _id }, replacement, upsert: true },
        }));
        await synonyms.bulkWrite(writes, scope);
        return decided;
      }, signal);
    },

    /** Deletes a group. Without a transition the same request has already deleted it. */
    deleteSynonym(key: string, act: Attribution, signal: AbortSignal) {
      return writer.write(async ({ scope, append }) => {
        const found = await synonyms.findOne({ _id: key }, scope);
        const isRepeat = await isDeletedBy(changes, { site: { $exists: false }, key }, act, scope);
        if (found === null && isRepeat) return { outcome: 'deleted' };
        const transition = decideSynonymRemoval(found ?? undefined, act);
        await append({ subject: 'synonyms', key, tags: [], transition }, {});
        await synonyms.deleteOne({ _id: key }, scope);
        return { outcome: 'deleted', transition };
      }, signal);
    },

    /** Reads the text that may have a gloss. Throws `not_found` if there is none. */
    readText: (name: TextName, signal: AbortSignal): Promise<GlossedText> => readText(name, { signal }),

    /** Sets the gloss of a text; undefined removes it. */
    async putGloss(name: TextName, gloss: Gloss | undefined, act: Attribution, { signal, validateOnly }: PutCall) {
      if (validateOnly) return decideGloss(await readText(name, { signal }), gloss, act);
      return writer.write(async ({ scope, append }) => {
        const text = await readText(name, scope);
        const decided = decideGloss(text, gloss, act);
        if (decided.outcome === 'unchanged') return decided;
        const { _id, site, tags = [] } = text;
        await append({ subject: name.subject, site, key: name.key, tags, transition: decided.transition }, {});
        const change = decided.gloss === undefined ? { $unset: { gloss: 1 } } : { $set: { gloss: decided.gloss } };
        await textsOf(name).updateOne({ _id }, change as object, scope);
        return decided;
      }, signal);
    },
  };
}

function toSynonym({ _id: id, ...fields }: SynonymDocument): Synonym {
  return { id, ...fields };
}

/** A document in `synonyms`: a group of words, under the id that its editor chose. */
interface SynonymDocument extends Omit<Synonym, 'id'> {
  readonly _id: string;
}

export function synonymCollection(db: Db): Collection<SynonymDocument> {
  return db.collection('synonyms');
}

const text = { bsonType: 'string' };
const time = { bsonType: 'date' };
const words = { bsonType: 'array', items: text };

/** The collection of the synonyms that editors keep for search. */
export const searchWordsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'synonyms',
    validator: {
      $jsonSchema: objectOf(['words', 'from', 'revision', 'createdAt', 'updatedAt', 'updatedBy'], {
        _id: text,
        words,
        from: words,
        revision: { bsonType: ['int', 'long'] },
        createdAt: time,
        updatedAt: time,
        updatedBy: text,
      }),
    },
  },
];
