import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError, unlessNotFound } from '@knowledge/runtime/client';
import type { EditorialCalls } from '../base/services.js';
import { readableTime, timestamp } from '../base/time.js';
import { requireField, sites } from '../base/words.js';
import { FileProblem } from '../files/fields.js';
import type { ImportedArticle, PutResult } from '../files/put-result.js';
import { articleMarkdown } from './article-file.js';
import { scheduleLoss } from './drafts.js';

/**
 * Puts an article, unless somebody changed it after its export. A check also refuses it if its next revision is scheduled,
 * or if it is another one. For an article that does not exist, the revision in the file is ignored, as that of another system.
 *
 * @throws FileProblem that names the other article, or who changed it or scheduled its next revision, and what to do.
 */
export async function putArticle(
  editorial: EditorialCalls,
  request: ImportedArticle,
  { validateOnly, overwrite }: { readonly validateOnly: boolean; readonly overwrite: boolean },
): Promise<PutResult> {
  try {
    const answer = await editorial.putArticle({ ...request, validateOnly });
    const isUpdate = answer.outcome === PutOutcome.UPDATED;
    const notes = validateOnly && isUpdate ? await replacedBy(editorial, request, overwrite) : [];
    const loss = isUpdate ? scheduleLoss(requireField(answer.article)) : undefined;
    if (validateOnly && !overwrite && loss !== undefined) {
      throw new FileProblem(`not overwritten: ${loss} To do it, ${choose}`);
    }
    const state = answer.article?.state;
    const isPublic = state === ArticleState.PUBLISHED || state === ArticleState.SCHEDULED;
    if (request.withheld !== undefined && isPublic && isUpdate) {
      throw new FileProblem(
        `the article is published here, but the file is not public: ${request.withheld}; archive it first`,
      );
    }
    return { outcome: answer.outcome, notes: [...notes, ...timeOf(answer)] };
  } catch (error) {
    if (!hasCode(error, 'invalid_state') || request.expectedRevision === 0) throw error;
    const { site, slug, expectedRevision } = request;
    const there = await lastChange(editorial, { site, slug });
    if (there !== undefined) throw new FileProblem(staleMessage(expectedRevision, there));
    return putArticle(editorial, { ...request, expectedRevision: 0 }, { validateOnly, overwrite });
  }
}

/** Names the published article whose text a file replaces. Only a slug that stands in the file meets one of another title. */
async function replacedBy(
  editorial: EditorialCalls,
  { site, slug, title, slugFrom }: ImportedArticle,
  overwrite: boolean,
): Promise<string[]> {
  const found = await editorial.getArticleRecord({ site, slug }).catch(unlessNotFound);
  if (found === undefined) return [];
  const { entry, state } = requireField(found.article);
  const there = requireField(entry).title.trim();
  const name = `${sites.fromWire(site)}/${slug}, “${there}”`;
  if (!overwrite && slugFrom !== undefined && title !== there) {
    throw new FileProblem(
      `not overwritten: its ${slugFrom} leads to an article that is here already: ${name}; ` +
        `if it is that one, write slug: ${slug} in the file, or ${choose}`,
    );
  }
  return state === ArticleState.PUBLISHED ? [`replaces a published article: ${name}`] : [];
}

type LastChange = { revision: number; actor: string; at: string };

async function lastChange(
  editorial: EditorialCalls,
  name: Pick<PutArticleRequest, 'site' | 'slug'>,
): Promise<LastChange | undefined> {
  const found = await editorial.getArticleRecord(name).catch(unlessNotFound);
  if (found === undefined) return undefined;
  const { entry, history } = requireField(found.article);
  const last = history.at(-1);
  const at = readableTime(timestamp(last?.occurredAt));
  return { revision: requireField(entry).revision, actor: last?.actor ?? 'somebody', at };
}

const choose = 'choose to overwrite (in the terminal: --overwrite)';

function staleMessage(exported: number, { revision, actor, at }: LastChange) {
  return (
    `not overwritten: it was exported at revision ${exported}, but has revision ${revision} now, changed by ${actor} at ${at} UTC; ` +
    `export it again and bring your change there, or ${choose}`
  );
}

function timeOf({ article }: Awaited<ReturnType<EditorialCalls['putArticle']>>): string[] {
  if (article?.state !== ArticleState.SCHEDULED) return [];
  return [`scheduled: readers see it from ${readableTime(timestamp(article.entry?.publishedAt))} UTC`];
}

/** The file of one article, as the import reads it. */
interface ExportedArticle {
  /** Site and slug, such as `org/rolling-out-sso.md`. */
  readonly path: string;
  readonly markdown: string;
}

/** Reads an article for an export; undefined if somebody deleted it after the list was read. */
export async function exportArticle(
  editorial: EditorialCalls,
  { site, slug }: { readonly site: Site; readonly slug: string },
): Promise<ExportedArticle | undefined> {
  // The slug comes from the service. Check it, so that a file name never leaves the directory.
  if (!/^[a-z0-9-]{1,80}$/.test(slug)) {
    throw new KnowledgeError('internal_error', `The slug ${slug} cannot name a file.`);
  }
  const found = await editorial.getArticleRecord({ site, slug }).catch(unlessNotFound);
  if (found === undefined) return undefined;
  return { path: `${sites.fromWire(site)}/${slug}.md`, markdown: articleMarkdown(requireField(found.article)) };
}
