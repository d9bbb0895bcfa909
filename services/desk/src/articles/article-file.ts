import { basename, dirname } from 'node:path/posix';
import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { recogniseLanguage } from '@knowledge/runtime/language';
import { type MarkdownToken, readMarkdown, wordsOf } from '@knowledge/runtime/markdown';
import { capitalised } from '@knowledge/runtime/product';
import { UsageError } from '../base/desk-error.js';
import { readTime } from '../base/time.js';
import { requireField, sites } from '../base/words.js';
import { FieldReader, FileProblem, LeftOut } from '../files/fields.js';
import { foreignSyntax } from '../files/foreign-syntax.js';
import { type MarkdownDocument, readFrontMatter, writeFrontMatter } from '../files/front-matter.js';
import type { ImportedArticle } from '../files/put-result.js';
import { foreignReader, onOneLine, suggestSlug, withheldBy } from './foreign.js';
import { presentPutFields } from './present-article.js';

/** The options of an import that apply to every article. */
export interface ArticleImport {
  readonly site: string | undefined;
  readonly publish: boolean;
  /** Whether to publish articles with a date in the future when it comes. */
  readonly schedule: boolean;
  /** Whether to ignore the revision in the file. */
  readonly overwrite: boolean;
  readonly reason: string;
}

/**
 * Reads an article from a file with the fields of any usual system. The service checks the lengths of the fields, and
 * also names every wrong field.
 *
 * @throws FileProblem if a field is missing or has the wrong type, LeftOut if the file is no article.
 */
export async function readArticle(document: MarkdownDocument, path: string, options: ArticleImport) {
  const { site, publish, schedule, overwrite, reason } = options;
  const { article, revision, draftRevision, withheld, slugFrom, notes, unknown } = await readDocument(
    document,
    path,
    site,
  );
  // An import writes the article itself, so the number of a draft says nothing there.
  if (draftRevision > 0) unknown.push('draft_revision');
  if (unknown.length > 0) notes.push(`ignored: ${unknown.join(', ')}`);
  const isLater = article.publishedAt !== undefined && article.publishedAt > new Date();
  if (withheld !== undefined) notes.push(`not published: ${withheld}`);
  else if (isLater && publish && !schedule) notes.push('not published: its date is in the future, so schedule it');
  const request: ImportedArticle = {
    ...article,
    publish: withheld === undefined && (isLater ? schedule : publish),
    expectedRevision: overwrite ? 0 : revision,
    reason,
    withheld,
    slugFrom,
  };
  return { request, key: `${sites.fromWire(request.site)}/${request.slug}`, notes };
}

/**
 * Reads the file of a draft: an article, the revision on which it is based, and the draft's own revision.
 *
 * @throws UsageError for a file that no article can be read from.
 */
export async function readArticleFile(bytes: Uint8Array, path: string, site: string | undefined) {
  try {
    return await readDocument(readFrontMatter(bytes), path, site);
  } catch (error) {
    throw error instanceof FileProblem ? new UsageError(`${path}: ${error.message}.`) : error;
  }
}

async function readDocument({ fields, body: text, before }: MarkdownDocument, path: string, site: string | undefined) {
  const file = fileNameOf(path);
  const { taxonomies, ...own } = fields;
  // Zola has tags in a table of their own.
  const isTable = typeof taxonomies === 'object' && !Array.isArray(taxonomies);
  const reader = new FieldReader(isTable ? { ...taxonomies, ...own } : fields);
  const notes: string[] = [];
  const read = foreignReader(reader, notes);
  const revision = reader.count('revision');
  const draftRevision = reader.count('draft_revision');
  const { declaredSlug, slugFrom } = slugOf(read.text('slug'), file.name, notes);
  const declaredTitle = onOneLine(read.text('title'));
  const heading = declaredTitle === '' ? headingOf(text) : undefined;
  const body = heading?.body ?? text;
  const isBare = Object.keys(fields).length === 0;
  if (isBare && heading === undefined) {
    throw new FileProblem(
      'has no front matter and no heading: begin with a line ---, fields like "title: …", and a line ---',
    );
  }
  const declaredTime = read.time('published_at');
  const declaredLanguage = read.text('language').replaceAll('_', '-');
  const recognised = declaredLanguage === '' ? await recogniseLanguage(body) : '';
  const fromFile = (field: string, value: string) => {
    notes.push(`${field} from the file name: ${value}`);
    return value;
  };
  if (heading !== undefined) notes.push('title from the first heading');
  if (recognised !== '') notes.push(`language recognised: ${recognised}`);
  const article = {
    site: reader.site(site),
    slug: declaredSlug || fromFile('slug', suggestSlug(file.name)),
    title: declaredTitle || heading?.title || fromFile('title', file.title),
    summary: read.text('summary').trim(),
    tags: read.tags(),
    author: read.author(),
    language: declaredLanguage || recognised,
    publishedAt: declaredTime ?? (file.day ? readTime(fromFile('published_at', file.day)) : undefined),
    body,
  };
  const withheld =
    withheldBy(reader) ?? (isBare ? 'it has no front matter' : file.isDraft ? 'it is in _drafts' : undefined);
  if (body.trim() === '') reader.faults.push('body: is empty');
  reader.finish();
  notes.push(...foreignSyntax(text, before));
  return { article, revision, draftRevision, withheld, slugFrom, notes, unknown: reader.unknown() };
}

/** Docusaurus and Hugo have paths as slugs. Says so if one is cut. */
function slugOf(written: string, fileName: string, notes: string[]) {
  const declaredSlug = basename(written);
  if (declaredSlug !== written) notes.push(`slug mapped: ${written} is ${declaredSlug}`);
  const hasFolder = !['.', '/'].includes(dirname(written));
  const slugFrom = declaredSlug === '' ? `file name ${fileName}` : hasFolder ? `slug ${written}` : undefined;
  return { declaredSlug, slugFrom };
}

/** What a path says: a name, the day in front of it (Jekyll), and whether it is a draft. */
function fileNameOf(path: string) {
  const plain = path.replaceAll('\\', '/');
  const base = basename(plain).replace(/\.[^.]*$/, '');
  if (base === '_index') throw new LeftOut('is the page of a list in Hugo and Zola, not an article');
  // Hugo, Zola and Docusaurus name the folder when an article has images.
  const own = base === 'index' && plain.includes('/') ? basename(dirname(plain)) : base;
  const [, day, name = own] = /^(\d{4}-\d{2}-\d{2})[-_ ](.+)$/.exec(own) ?? [];
  const words = name.replace(/[-_]+/g, ' ').trim();
  const title = capitalised(words);
  return { name, title, day, isDraft: /(?:^|\/)_drafts\//.test(plain) };
}

/** Takes the title out of a text. It is the first heading of the highest level, or one with which the text begins. */
function headingOf(text: string) {
  const { tokens } = readMarkdown(text);
  const headings = tokens.flatMap((token, at) =>
    token.type === 'heading_open' && token.level === 0 ? [{ ...token, at }] : [],
  );
  const found = headings.find(({ markup }) => markup === '#' || markup === '=') ?? headings.find(({ at }) => at === 0);
  if (found?.map == null) return undefined;
  const lines = text.split('\n');
  lines.splice(found.map[0], found.map[1] - found.map[0]);
  return { title: titleOf(tokens[found.at + 1]), body: lines.join('\n').replace(/^\n+/, '') };
}

/** The words of a heading without images, such as badges, if anything is left. */
function titleOf(heading: MarkdownToken | undefined) {
  const children = heading?.children?.filter(({ type }) => type !== 'image') ?? [];
  return wordsOf({ children }).replace(/\s+/g, ' ') || wordsOf(heading);
}

/**
 * Writes an article as a Markdown file that `article import` reads without loss, but for spaces around a field. The file
 * contains the revision, so that the import can detect later changes of the article. That of a draft also has its own.
 */
export function articleMarkdown({ entry, body }: Pick<ArticleRecord, 'entry' | 'body'>, draftRevision = 0): string {
  const { revision } = requireField(entry);
  const { title, slug, site, summary, tags, author, language, ...others } = presentPutFields(requireField(entry));
  const known = { title, slug, site, summary, tags, author, language };
  return writeFrontMatter({ ...known, ...others, revision, draft_revision: draftRevision || '' }, body);
}
