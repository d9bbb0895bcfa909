import type { Attribution, CallContext } from '@knowledge/runtime';
import type { Abortable } from 'mongodb';
import { type ChangeCollections, isDeletedBy, type Write, type Writer } from '../changes/store.js';
import { type ArticleCollections, articleId, fromArticle, fromRevision, toArticle } from './documents.js';
import type { Article, ArticleName, ArticleOutcome, Removal } from './domain.js';

type Call = Pick<CallContext, 'signal'>;

export type ArticleWrites = ReturnType<typeof createArticleWrites>;

/** Stores changes of articles. */
export function createArticleWrites(
  writer: Writer,
  { articles, revisions, changes }: ArticleCollections & ChangeCollections,
) {
  const storeWithin = async ({ scope, append }: Write, decided: ArticleOutcome) => {
    if (decided.outcome === 'unchanged') return;
    const { before, article, transition, restoredRevision } = decided;
    const { site, slug: key } = article;
    const tags = [...new Set([...(before?.tags ?? []), ...article.tags])];
    const move = { articles: { [site]: shown(article) - shown(before) } };
    await append({ subject: 'article', site, key, tags, transition }, move);
    await revisions.insertOne(fromRevision(article, transition, restoredRevision), scope);
    const document = fromArticle(article);
    if (before === undefined) await articles.insertOne(document, scope);
    // An article keeps its gloss.
    else await articles.updateOne({ _id: document._id }, { $set: document }, scope);
  };

  return {
    /**
     * Calls the rule with the current article and stores the outcome in one transaction. The transaction also stores the
     * revision, the counts and the log. The rule may run more than once. If it returns undefined, or with `validateOnly`,
     * nothing is stored.
     */
    async change<Outcome extends ArticleOutcome | undefined>(
      name: ArticleName,
      decide: (before: Article | undefined) => Outcome,
      { signal }: Call,
      validateOnly = false,
    ) {
      const decideIn = async (options: Abortable) => {
        const found = await articles.findOne({ _id: articleId(name) }, options);
        return decide(found === null ? undefined : toArticle(found));
      };
      if (validateOnly) return decideIn({ signal });
      return writer.write(async (write) => {
        const decided = await decideIn(write.scope);
        if (decided !== undefined) await storeWithin(write, decided);
        return decided;
      }, signal);
    },

    /** Stores an outcome like `change`, within a running transaction that has read the article. */
    storeWithin,

    /**
     * Deletes an article and all its revisions in one transaction; the log keeps the transition. Returns undefined if the
     * same request has already deleted it.
     */
    remove: (name: ArticleName, act: Attribution, decide: (before: Article | undefined) => Removal, { signal }: Call) =>
      writer.write(async ({ scope, append }) => {
        const _id = articleId(name);
        const found = await articles.findOne({ _id }, scope);
        const { site, slug: key } = name;
        if (found === null && (await isDeletedBy(changes, { site, key }, act, scope))) return undefined;
        const removal = decide(found === null ? undefined : toArticle(found));
        const { tags, transition } = removal;
        await append({ subject: 'article', site, key, tags: [...tags], transition }, {});
        await revisions.deleteMany({ article: _id }, scope);
        await articles.deleteOne({ _id }, scope);
        return removal;
      }, signal),
  };
}

function shown(article: Article | undefined): number {
  return article?.state === 'published' ? 1 : 0;
}
