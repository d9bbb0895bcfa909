import type { Attribution, CallContext } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import { articleId } from '../../store/article-documents.js';
import type { Collections } from '../../store/documents.js';
import type { ChangeCompanion, Writer } from '../../store/writer.js';
import {
  decideGloss,
  type Gloss,
  type GlossedText,
  type GlossOutcome,
  type GlossRecord,
  glossKey,
  requireText,
  type TextFacts,
} from '../domain/gloss.js';
import type { SearchWordsCollections } from './documents.js';

/** Stores the English glosses of texts. Every change is one transaction with its entry of the log. */
export interface GlossStore {
  /** Returns the glosses of these texts by `glossKey`. Texts without a gloss are left out. */
  of(texts: readonly GlossedText[], signal: AbortSignal): Promise<ReadonlyMap<string, Gloss>>;
  /** Reads a text's gloss with its revision. Throws `not_found` if there is no such text. */
  read(text: GlossedText, signal: AbortSignal): Promise<{ gloss: GlossRecord | undefined; textRevision: number }>;
  /** Sets the gloss of a text; undefined removes it. With `validateOnly` it writes nothing. */
  put(
    text: GlossedText,
    gloss: Gloss | undefined,
    act: Attribution,
    how: Pick<CallContext, 'signal'> & { readonly validateOnly: boolean },
  ): Promise<GlossOutcome>;
}

type Scope = TransactionScope | { signal: AbortSignal };

/** Makes the store of glosses for these collections. */
export function createGlossStore(
  writer: Writer,
  { glosses }: Pick<SearchWordsCollections, 'glosses'>,
  { articles, objects }: Pick<Collections, 'articles' | 'objects'>,
): GlossStore {
  const projection = { _id: 0, state: 1, language: 1, revision: 1, tags: 1, site: 1 } as const;

  const factsOf = async (text: GlossedText, scope: Scope): Promise<FoundText | undefined> => {
    if (text.kind === 'article') {
      const found = await articles.findOne({ _id: articleId(text) }, { projection, ...scope });
      return found ?? undefined;
    }
    const found = await objects.findOne({ _id: text.id, state: 'published' }, { projection, ...scope });
    return found === null ? undefined : { ...found, language: found.language ?? '', tags: [] };
  };

  const decide = async (text: GlossedText, gloss: Gloss | undefined, act: Attribution, scope: Scope) => {
    const facts = await factsOf(text, scope);
    const before = await glosses.findOne({ _id: glossKey(text) }, { projection: { _id: 0 }, ...scope });
    return { facts, decided: decideGloss(facts, before ?? undefined, gloss, act) };
  };

  return {
    async of(texts, signal) {
      const found = await glosses.find({ _id: { $in: texts.map(glossKey) } }, { signal }).toArray();
      return new Map(found.map(({ _id, title, summary }) => [_id, { title, summary }]));
    },

    async read(text, signal) {
      const { revision } = requireText(await factsOf(text, { signal }));
      const found = await glosses.findOne({ _id: glossKey(text) }, { projection: { _id: 0 }, signal });
      return { gloss: found ?? undefined, textRevision: revision };
    },

    async put(text, gloss, act, { signal, validateOnly }) {
      if (validateOnly) return (await decide(text, gloss, act, { signal })).decided;
      return writer.write(async ({ scope, append }) => {
        const { facts, decided } = await decide(text, gloss, act, scope);
        if (decided.outcome === 'unchanged' || facts === undefined) return decided;
        const { kind: subject } = text;
        const key = text.kind === 'article' ? text.slug : text.id;
        const { transition } = decided;
        await append({ subject, site: facts.site, key, tags: [...facts.tags], transition }, {});
        const _id = glossKey(text);
        if (decided.gloss === undefined) await glosses.deleteOne({ _id }, scope);
        else await glosses.replaceOne({ _id }, decided.gloss, { upsert: true, ...scope });
        return decided;
      }, signal);
    },
  };
}

/**
 * Makes the companion that deletes the gloss of a text in the transaction that deletes or retracts the text. An archived
 * article keeps its gloss, as it keeps its body.
 */
export function forgetGlosses({ glosses }: Pick<SearchWordsCollections, 'glosses'>): ChangeCompanion {
  return async ({ subject, site, key, transition: { to } }, { scope }) => {
    const text = textOf(subject, site, key);
    if (text === undefined || !erasedStates.has(to)) return;
    await glosses.deleteOne({ _id: glossKey(text) }, scope);
  };
}

const erasedStates: ReadonlySet<string> = new Set(['deleted', 'retracted']);

function textOf(...[subject, site, key]: [string, GlossedSite | undefined, string]): GlossedText | undefined {
  if (subject === 'article' && site !== undefined) return { kind: 'article', site, slug: key };
  return subject === 'object' ? { kind: 'object', id: key } : undefined;
}

type GlossedSite = Extract<GlossedText, { kind: 'article' }>['site'];

interface FoundText extends TextFacts {
  readonly site: GlossedSite;
  readonly tags: readonly string[];
}
