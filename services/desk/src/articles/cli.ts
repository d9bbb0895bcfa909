import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { DeskError, UsageError } from '../base/desk-error.js';
import { distinct, readAtRevision } from '../base/ids.js';
import { createProgress } from '../base/printer.js';
import type { Session } from '../base/session.js';
import { type Columns, stateColumn } from '../base/table.js';
import { formatDetails, formatText, type Lines, type Paint } from '../base/text.js';
import { readableTime } from '../base/time.js';
import { formatHistory } from '../base/transition.js';
import { requireField, sites } from '../base/words.js';
import { type ImportedArticle, inParallel } from '../files/put-result.js';
import { confirm } from '../terminal/ask.js';
import { command, eachNamed, forEachNamed, group, list, readListPages, result } from '../terminal/command-table.js';
import { dryRun, limit, parseCount, reason, site } from '../terminal/options.js';
import { readArticle } from './article-file.js';
import { nextRevision } from './cli-next.js';
import { articleOf, diff, editorial, history, namedArticle, readRevision, restore } from './cli-revisions.js';
import { scheduleLoss } from './drafts.js';
import {
  type ArticleDetail,
  type ArticleView,
  articleStates,
  changeOf,
  noticeWords,
  presentArticle,
  presentArticleDetail,
  presentRevisionDetail,
  type RevisionDetail,
  readersOf,
  textLines,
} from './present-article.js';
import { exportArticle, putArticle } from './transfer.js';

const ofAnySite = site('their site; needed only where both sites have the slug');
const state = { '--state <state>': { about: 'only this state', choices: articleStates.words } };

const columns: Columns<ArticleView> = {
  site: 'site',
  ...stateColumn,
  title: { value: 'title', flexible: 20 },
  'published, UTC': { value: 'published_at', dropPriority: 1 },
  'next, UTC': { value: (each) => noticeWords(each.draft), dropPriority: 3 },
  rev: { value: 'revision', dropPriority: 2 },
  slug: { value: 'slug', neverCut: true },
};

/** `knowledge article …`, for editors. */
export const article = group({
  commands: {
    import: command({
      about:
        'import every Markdown file of a directory and the directories below it; safe to repeat. Front matter (YAML or TOML): ' +
        'title, slug, summary, tags, author, language, published_at, site, revision (of the export; an article that changed ' +
        'since, or whose next revision is scheduled, is not overwritten). Files of Hugo, Jekyll, Zola, Obsidian, dev.to, ' +
        'Docusaurus, Ghost and WordPress are read too: what is not public there stays a draft, and notes say what was mapped ' +
        'and which published articles are replaced. If one file has a fault, nothing is imported',
      takes: {
        '<dir>': 'the directory',
        '--publish': 'publish each article in the same step; without it, new articles are drafts',
        '--schedule': 'schedule articles with a date in the future; without it, they are drafts',
        ...site('the site of files that do not name theirs'),
        ...dryRun,
        '--overwrite':
          'overwrite articles that changed since the export, whose next revision is scheduled, or whose slug is not in the file, too',
        ...reason(),
      },
      run: async (session, { dir, dryRun, ...how }) => {
        const { runImport } = await import('../files/run-import.js');
        const client = editorial(session);
        const { overwrite } = how;
        return runImport<ImportedArticle>(session, dir, dryRun, {
          read: (document, path) => readArticle(document, path, how),
          put: (request, validateOnly) => putArticle(client, request, { validateOnly, overwrite }),
          ready: client.ready,
        });
      },
      examples: ['article import ./articles --publish --site org', 'article import ./export --dry-run'],
    }),
    list: list({
      about: 'list articles in any state, last changed first',
      takes: {
        ...site('only this site'),
        ...state,
        '--find <words>': 'only those that have each of these words in the title or slug',
        '--tag <tag>': 'only those with this tag',
        '--missed': 'only those whose next revision lost its time, since the article changed first',
        '--by-title': 'sort by title',
        ...limit,
      },
      run: (session, { site, state, find: query, tag, missed, byTitle }, page) => {
        const wanted = { site: sites.toWire(site), state: articleStates.toWire(state), query, tag, missed, byTitle };
        return editorial(session).listArticleRecords({ ...wanted, ...page });
      },
      items: ({ articles }) => articles.map(presentArticle),
      columns,
      one: 'article',
      examples: [
        'article list --site org --state draft',
        'article list --find rollout --tag sso',
        'article list --missed',
      ],
    }),
    show: command({
      about: 'show articles with their bodies and their history',
      takes: {
        '<slug...>': 'their names in URLs',
        ...ofAnySite,
        '--revision <n>': { about: 'show one article as it was at this revision', parse: parseCount },
      },
      calls: editorial,
      run: async (session, { slug: slugs, site, revision }) => {
        const names = distinct(slugs);
        if (revision === undefined) {
          const read = async (slug: string) => presentArticleDetail(await articleOf(session, { slug, site }));
          return forEachNamed(session, names, read, { text: formatArticle, between: '\n\n\n' });
        }
        const [slug = ''] = names;
        if (names.length > 1) throw new UsageError('Name one article with --revision.');
        const found = await readRevision(
          session,
          requireField((await articleOf(session, { slug, site })).entry),
          revision,
        );
        session.print.result(presentRevisionDetail(found), formatRevision);
      },
      examples: [
        'article show rolling-out-sso',
        'article show rolling-out-sso --site org --json',
        'article show rolling-out-sso --revision 2',
      ],
    }),
    history,
    diff,
    restore,
    next: nextRevision,
    publish: eachNamed({
      about: 'publish drafts or archived articles; one with a published_at in the future appears at that time',
      ...transition('publishArticle'),
      examples: ['article publish rolling-out-sso'],
    }),
    archive: eachNamed({
      about: 'withdraw articles from readers; "publish" brings them back',
      ...transition('archiveArticle'),
      examples: ['article archive rolling-out-sso --site org --reason "superseded"'],
    }),
    draft: eachNamed({
      about: 'take published or archived articles back to draft',
      ...transition('returnArticleToDraft'),
      examples: ['article draft rolling-out-sso --reason "figures to be checked"'],
    }),
    delete: result({
      about: 'delete a draft with its text and its history; an article that readers see is archived instead',
      takes: { ...namedArticle, ...reason() },
      run: async (session, { slug, site: wanted, reason }) => {
        const record = await articleOf(session, { slug, site: wanted });
        const { title, site, revision, state } = presentArticle(record);
        if (state === 'draft') await confirm(session, `Delete the draft "${title}" on ${site}: its text is lost.`);
        const request = { site: requireField(record.entry).site, slug, reason, expectedRevision: revision };
        await editorial(session).deleteArticle(request);
        return { slug, site, state: 'deleted' };
      },
      text: ({ slug, site }) => `${slug} on ${site} is deleted.`,
      examples: ['article delete rolling-out-sso --site org --reason "made by mistake"'],
    }),
    export: result({
      about: 'write every article to DIR/<site>/<slug>.md, as "article import" reads it',
      takes: {
        '<dir>': 'the directory; created if it does not exist, and existing files are replaced',
        ...site('only this site'),
        ...state,
      },
      run: exportArticles,
      text: ({ exported }, _, { dir }) => `${exported} exported to ${dir}`,
      examples: ['article export ./export', 'article export ./export --site org --state published'],
    }),
  },
  examples: [
    'article import ./articles --publish --site org',
    'article list --state draft',
    'article archive rolling-out-sso --site org',
  ],
});

type Transition = 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft';

/** What the commands say that change the state of articles. */
function transition(method: Transition) {
  return {
    takes: {
      '<slug...>': 'their names in URLs; SLUG@revision to refuse a text that changed since',
      ...ofAnySite,
      ...reason(),
    },
    calls: editorial,
    run: async (
      session: Session,
      word: string,
      { site, reason }: { readonly site: string | undefined; readonly reason: string },
    ) => {
      const { id: slug, revision } = readAtRevision(word);
      const record = await articleOf(session, { slug, site });
      const loss = scheduleLoss(record);
      if (loss !== undefined) await confirm(session, `${slug}: ${loss}`);
      const request = { site: requireField(record.entry).site, slug, reason, expectedRevision: revision };
      const { article }: { article: ArticleRecord | undefined } = await editorial(session)[method](request);
      return presentArticle(requireField(article));
    },
    text: ({ slug, site, state, published_at }: ArticleView) =>
      `${slug} on ${site} is ${state}${state === 'scheduled' ? `: readers see it from ${readableTime(published_at)} UTC` : ''}.`,
  };
}

const concurrency = 8;

async function exportArticles(
  session: Session,
  { dir, site, state }: { readonly dir: string; readonly site: string | undefined; readonly state: string | undefined },
) {
  const client = editorial(session);
  const filter = { site: sites.toWire(site), state: articleStates.toWire(state) };
  const { items: records } = await readListPages(
    session,
    (page) => client.listArticleRecords({ ...filter, ...page }),
    ({ articles }) => articles,
  );
  const root = resolve(session.host.cwd, dir);
  const progress = createProgress(session.host.stderr, 'articles', records.length);
  let exported = 0;
  await inParallel(records, concurrency, async ({ entry }) => {
    session.host.interrupted.throwIfAborted();
    const file = await exportArticle(client, requireField(entry));
    if (file !== undefined) {
      await write(join(root, file.path), file.markdown);
      exported++;
    }
    progress.step();
  });
  progress.end();
  return { exported };
}

async function write(path: string, markdown: string) {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, markdown);
    await rename(`${path}.part`, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DeskError('file_error', `${path} cannot be written (${code}).`, { cause: error });
  }
}

function formatRevision({ change, ...article }: RevisionDetail, paint: Paint) {
  const lines: Lines<typeof article> = {
    ...articleLines,
    'made, UTC': () => readableTime(change.occurred_at),
    by: () => change.actor,
    why: () => change.reason,
    change: () => changeOf(change),
    readers: () => readersOf(change) || 'never saw it',
  };
  return formatDetails(article, lines, paint) + formatText('Body', article.body, paint);
}

function formatArticle(article: ArticleDetail, paint: Paint) {
  const lines: Lines<ArticleDetail> = {
    ...articleLines,
    'next revision': ({ draft }) => [noticeWords(draft), draft?.missed_reason].filter(Boolean).join(': '),
  };
  const { history, body } = article;
  return formatDetails(article, lines, paint) + formatHistory(history, paint) + formatText('Body', body, paint);
}

const articleLines: Lines<Omit<RevisionDetail, 'change'>> = {
  slug: 'slug',
  site: 'site',
  state: 'state',
  ...textLines,
  'updated, UTC': 'updated_at',
  words: 'word_count',
  revision: 'revision',
  'reading tokens': 'reading_tokens',
};
