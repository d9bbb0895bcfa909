import { type Attribution, type CallContext, KnowledgeError } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collection } from 'mongodb';
import type { NewChange } from '../../domain/change.js';
import type { Gloss } from '../../domain/gloss.js';
import { articleId } from '../../store/article-documents.js';
import type { Collections } from '../../store/documents.js';
import type { Writer } from '../../store/writer.js';
import { decideGloss, type GlossedText, type GlossOutcome } from '../domain/gloss.js';

/** The name of the text of a gloss. */
export type TextName =
  | Pick<NewChange & { subject: 'article' }, 'subject' | 'site' | 'key'>
  | { readonly subject: 'object'; readonly key: string };

/** Stores the English glosses in their texts. Every change is one transaction with its entry of the log. */
export type GlossStore = ReturnType<typeof createGlossStore>;

type StoredText = GlossedText & Pick<NewChange & { subject: 'article' }, 'site' | 'tags'> & { readonly _id: string };

export function createGlossStore(writer: Writer, { articles, objects }: Pick<Collections, 'articles' | 'objects'>) {
  const textsOf = ({ subject }: TextName) =>
    (subject === 'article' ? articles : objects) as unknown as Collection<StoredText>;

  /** Reads the text that a gloss belongs to. Throws `not_found` if there is none. */
  const read = async (name: TextName, scope: TransactionScope | { signal: AbortSignal }): Promise<StoredText> => {
    const _id = name.subject === 'article' ? articleId({ site: name.site, slug: name.key }) : name.key;
    const projection = { site: 1, state: 1, language: 1, revision: 1, tags: 1, gloss: 1 };
    const found = await textsOf(name).findOne({ _id, state: { $ne: 'retracted' } }, { projection, ...scope });
    if (found === null) throw new KnowledgeError('not_found', 'There is no such text.');
    return found;
  };

  return {
    read: (name: TextName, signal: AbortSignal): Promise<GlossedText> => read(name, { signal }),

    /** Sets the gloss of a text; undefined removes it. With `validateOnly` it writes nothing. */
    async put(
      name: TextName,
      gloss: Gloss | undefined,
      act: Attribution,
      { signal, validateOnly }: Pick<CallContext, 'signal'> & { readonly validateOnly: boolean },
    ): Promise<GlossOutcome> {
      if (validateOnly) return decideGloss(await read(name, { signal }), gloss, act);
      return writer.write(async ({ scope, append }) => {
        const text = await read(name, scope);
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
