import { type Attribution, type CallContext, KnowledgeError, type Site } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collection } from 'mongodb';
import { type ArticleCollections, articleId } from '../articles/documents.js';
import type { Gloss } from '../base/search-words.js';
import type { PutCall, Writer } from '../changes/store.js';
import type { ObjectCollections } from '../objects/store.js';
import { decideGloss, type GlossedText } from './domain.js';

/** The name of a text that may have a gloss. */
export type TextName =
  | { readonly subject: 'article'; readonly site: Site; readonly key: string }
  | { readonly subject: 'object'; readonly key: string };

interface StoredText extends GlossedText {
  readonly _id: string;
  readonly site: Site;
  readonly tags?: readonly string[];
}

/** Stores the glosses in their texts. Every change is one transaction with its entry of the log. */
export type GlossStore = ReturnType<typeof createGlossStore>;

export function createGlossStore(
  writer: Writer,
  { articles, objects }: Pick<ArticleCollections, 'articles'> & ObjectCollections,
) {
  const textsOf = ({ subject }: TextName) =>
    (subject === 'article' ? articles : objects) as unknown as Collection<StoredText>;

  const readText = async (name: TextName, scope: TransactionScope | Pick<CallContext, 'signal'>) => {
    const _id = name.subject === 'article' ? articleId({ site: name.site, slug: name.key }) : name.key;
    const projection = { site: 1, state: 1, language: 1, revision: 1, tags: 1, gloss: 1 };
    const found = await textsOf(name).findOne({ _id, state: { $ne: 'retracted' } }, { projection, ...scope });
    if (found === null) throw new KnowledgeError('not_found', 'There is no such text.');
    return found;
  };

  return {
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
