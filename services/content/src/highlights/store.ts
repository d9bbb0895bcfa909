import type { Attribution, CallContext, Site } from '@knowledge/runtime';
import { type CollectionDeclaration, date, listOf, objectOf, text, whole } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type ArticleCollections, publishedEntries } from '../articles/documents.js';
import type { ArticleEntry } from '../articles/domain.js';
import { checkRevision } from '../base/bounds.js';
import { site } from '../base/documents.js';
import type { Writer } from '../changes/store.js';
import { type HighlightList, requirePublished, sameChoices } from './domain.js';

export type HighlightStore = ReturnType<typeof createHighlightStore>;

/** Stores the highlights of each site. */
export function createHighlightStore(
  writer: Writer,
  collections: Pick<ArticleCollections, 'articles'> & HighlightCollections,
) {
  const { highlights } = collections;
  return {
    /** The published articles of a site with these slugs, by slug. */
    published: (site: Site, slugs: readonly string[], signal: AbortSignal) =>
      publishedEntries(collections, site, slugs, { signal }),
    async read(site: Site, signal: AbortSignal): Promise<HighlightList> {
      return toList(site, await highlights.findOne({ _id: site }, { signal }));
    },
    /**
     * Replaces the highlights if they differ. Throws `validation_error` if an article is not published; `invalid_state` if the list
     * does not have the expected revision, unless that is 0.
     */
    set: (
      {
        site,
        choices,
        expectedRevision,
      }: Pick<HighlightList, 'site' | 'choices'> & { readonly expectedRevision: number },
      act: Attribution,
      { signal }: Pick<CallContext, 'signal'>,
    ): Promise<ReadonlyMap<string, ArticleEntry>> =>
      writer.write(async ({ scope, append }) => {
        const before = toList(site, await highlights.findOne({ _id: site }, scope));
        const same = sameChoices(before.choices, choices);
        checkRevision({ stored: before.revision, expected: expectedRevision, same });
        const slugs = choices.map(({ slug }) => slug);
        const published = await publishedEntries(collections, site, slugs, scope);
        if (!same) {
          requirePublished(choices, published);
          const revision = before.revision + 1;
          const transition = { ...act, from: before.revision === 0 ? '' : 'set', to: 'set', revision };
          await append({ subject: 'highlights', site, key: '', tags: [], transition }, {});
          const document = { choices: choices.map(({ slug, note }) => ({ slug, note })), revision, updatedAt: act.at };
          await highlights.replaceOne({ _id: site }, document, { upsert: true, ...scope });
        }
        return published;
      }, signal),
  };
}

function toList(site: Site, found: HighlightsDocument | null): HighlightList {
  return { site, choices: found?.choices ?? [], revision: found?.revision ?? 0 };
}

/** A document in `highlights`: the highlights that the editors chose for a site. */
export interface HighlightsDocument {
  _id: Site;
  choices: { slug: string; note: string }[];
  revision: number;
  updatedAt: Date;
}

type HighlightCollections = ReturnType<typeof highlightsOf>;

export function highlightsOf(db: Db) {
  return { highlights: db.collection<HighlightsDocument>('highlights') };
}

export const highlightsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'highlights',
    validator: {
      $jsonSchema: objectOf({
        _id: site,
        choices: listOf(objectOf({ slug: text, note: text })),
        revision: whole,
        updatedAt: date,
      }),
    },
  },
];
