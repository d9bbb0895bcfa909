import multipart from '@fastify/multipart';
import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { Fragment } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { articleStates } from '../articles/present-article.js';
import { exportArticle, putArticle } from '../articles/transfer.js';
import { readArticleFilter, toWireFilter } from '../articles/web.js';
import { pathOf } from '../articles/web-article.js';
import { type EditorialCalls, withContext } from '../base/services.js';
import { count } from '../base/text.js';
import { requireField, sites } from '../base/words.js';
import { countNotes } from '../files/put-result.js';
import {
  actButton,
  buttonRow,
  callOf,
  checkField,
  csrfField,
  filterForm,
  formField,
  hasRole,
  linkButton,
  longer,
  onlyFor,
  RefusedRequest,
  reasonField,
  selectField,
  sendFile,
  sendPage,
  showPage,
  siteChoices,
  staffOf,
  stateMark,
  strange,
  tableOf,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import {
  type ArticleSource,
  type FileResult,
  importEach,
  readUpload,
  uploadLimits,
  type ZippedFile,
  zipOf,
} from './web-import-each.js';

const transferPath = '/articles/files';
/** More articles than one download should have. */
const mostArticles = 50_000;
const concurrency = 8;

/** Registers the import and the export of article files. */
export function registerTransfer(app: FastifyInstance, { connect }: WebDesk): void {
  const client = connect('content', EditorialServiceService);
  // Many calls take longer than one request may, so each has its own deadline.
  const editorial = (request: FastifyRequest) => withContext(client, () => longer(callOf(request), importLimits));

  showPage(app, transferPath, async (request) => transferPage(hasRole(staffOf(request), 'editor')), [
    'editor',
    'reader',
  ]);

  // Only this form has files, so no other route reads them.
  app.register((withFiles, _options, done) => {
    withFiles.register(multipart, { throwFileSizeLimit: false });
    // The CSRF token is a field of the form, and it is checked after this hook.
    withFiles.addHook('preValidation', async (request) => {
      if (request.isMultipart()) request.body = await readUpload(request);
    });
    withFiles.post(transferPath, onlyFor('editor'), async (request, reply) => {
      const { body } = request;
      const { files = [] } = body as { files?: readonly ArticleSource[] };
      if (files.length === 0) return sendPage(reply, transferPage(true, 'Choose the files first.'));
      const act = formField(body, 'act');
      const isCheck = act === 'check';
      if (!isCheck && act !== 'import') throw new RefusedRequest(400, 'act: must be check or import.');
      const options = {
        site: formField(body, 'site') || undefined,
        publish: formField(body, 'publish') === 'yes',
        schedule: formField(body, 'schedule') === 'yes',
        overwrite: formField(body, 'overwrite') === 'yes',
        reason: formField(body, 'reason', 20_000),
      };
      const calls = editorial(request);
      const { overwrite } = options;
      const results = await importEach(files, options, async (put) => {
        const checked = await putArticle(calls, put, { validateOnly: true, overwrite });
        if (isCheck) return checked;
        const { outcome } = await putArticle(calls, put, { validateOnly: false, overwrite });
        return { ...checked, outcome };
      });
      return sendPage(reply, resultPage(results, isCheck));
    });
    done();
  });

  app.get(`${transferPath}/articles.zip`, async (request, reply) => {
    const calls = editorial(request);
    const names = await listNames(calls, toWireFilter(readArticleFilter(request)));
    return sendFile(reply, 'articles.zip', 'application/zip', zipOf(filesOf(calls, names)));
  });
}

/** Large files on a busy database need more time. */
const importLimits = { deadlineMs: 10_000 };

type Name = { readonly site: Site; readonly slug: string };

/** All names come first, because a change during the export moves an article in the list. */
async function listNames(editorial: EditorialCalls, filter: ReturnType<typeof toWireFilter>) {
  const names: Name[] = [];
  let pageToken = '';
  do {
    const page = await editorial.listArticleRecords({ ...filter, pageSize: 200, pageToken });
    for (const { entry } of page.articles) {
      const { site, slug } = requireField(entry);
      names.push({ site, slug });
    }
    if (names.length > mostArticles) {
      throw new KnowledgeError('validation_error', `More than ${mostArticles} articles: choose a site or a state.`);
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return names;
}

async function* filesOf(editorial: EditorialCalls, names: readonly Name[]): AsyncGenerator<ZippedFile> {
  for (let at = 0; at < names.length; at += concurrency) {
    const batch = names.slice(at, at + concurrency);
    const files = await Promise.all(batch.map((name) => exportArticle(editorial, name)));
    for (const file of files) if (file !== undefined) yield { path: file.path, text: file.markdown };
  }
}

/** The page on which article files come in and go out. Only editors import. */
function transferPage(mayImport: boolean, fault?: string) {
  return titled(
    'Import and export',
    <>
      {mayImport && importPart(fault)}
      <h2>Export</h2>
      <p>A ZIP archive with one file for each article. Unpack it to import them again: an import takes its files.</p>
      {filterForm(
        `${transferPath}/articles.zip`,
        'Export',
        selectField({ name: 'site', id: 'export-site', label: 'Site', choices: [all, ...siteChoices] }),
        selectField({ name: 'state', label: 'State', choices: [all, ...articleStates.words] }),
      )}
    </>,
    { status: fault === undefined ? 200 : 422 },
  );
}

function importPart(fault: string | undefined) {
  const { files, fileBytes, totalBytes } = uploadLimits;
  return (
    <>
      <h2>Import</h2>
      <p>
        Each file is Markdown with fields at its beginning, as an export has them:{' '}
        <code>title, slug, summary, tags, author, language, published_at, site, revision</code>. Files of Hugo, Jekyll,
        Zola, Obsidian, dev.to, Docusaurus, Ghost and WordPress are read too; what is not public there stays a draft. A
        file with a fault stops no other. At most {files} files of {fileBytes / 1000} kB, {totalBytes / 1024 / 1024} MB
        together.
      </p>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <form class="fields" method="post" action={transferPath} enctype="multipart/form-data">
        {csrfField()}
        {textField({
          name: 'files',
          label: 'Files',
          type: 'file',
          autocomplete: false,
          multiple: true,
          accept: '.md,.mdx,.markdown,text/markdown',
          required: true,
          ...{ 'data-most-files': files, 'data-most-bytes': totalBytes },
        })}
        {selectField({ name: 'site', label: 'Site', hint: 'Of files that do not name theirs.', choices: siteChoices })}
        {checkField({ name: 'publish', label: 'Publish each article; otherwise new ones are drafts' })}
        {checkField({
          name: 'schedule',
          label: 'Schedule articles whose date is in the future; otherwise they are drafts',
        })}
        {checkField({
          name: 'overwrite',
          label:
            'Overwrite articles that changed since their export, whose next revision is scheduled, or whose name in the URL is not in the file, too',
        })}
        {reasonField()}
        {buttonRow(actButton('check', 'Only check'), actButton('import', 'Import', { class: 'main' }))}
      </form>
    </>
  );
}

const all = ['', 'all'] as const;

/** What became of each file of an import. */
function resultPage(results: readonly FileResult[], isCheck: boolean) {
  const title = isCheck ? 'Checked, nothing is stored' : 'Imported';
  const shown = (outcome: string) => (isCheck ? (wouldBe[outcome] ?? outcome) : outcome);
  const outcomes = countNotes(results.map(({ outcome }) => [shown(outcome)]));
  const notes = countNotes(results.filter(({ outcome }) => outcome !== 'refused').map((each) => each.notes));
  const isUnfinished = results.some(({ outcome }) => outcome === 'unfinished');
  return titled(
    title,
    <>
      <p role="status">
        {count(results.length, 'file')}: {outcomes.map(([outcome, files]) => `${files} ${outcome}`).join(', ')}.
        {isUnfinished &&
          ' A part of the service failed meanwhile. Send the files again; those that are stored stay as they are.'}
      </p>
      {notes.length > 0 && (
        <ul>
          {notes.map(([note, files]) => (
            <li>{`${count(files, 'file')}: ${note}`}</li>
          ))}
        </ul>
      )}
      {tableOf(
        'Files',
        results,
        {
          File: 'file',
          Result: ({ outcome }) => stateMark(shown(outcome)),
          Article: (result) => articleLink(result, isCheck),
          Note: ({ notes }) => strange(notes.join('; ')),
        },
        'No file was sent.',
      )}
      {buttonRow(linkButton(transferPath, 'More files'), linkButton('/articles', 'All articles'))}
    </>,
  );
}

const wouldBe: Readonly<Record<string, string>> = { created: 'new', updated: 'a change' };

function articleLink({ article, outcome }: FileResult, isCheck: boolean): Fragment {
  if (article === undefined) return undefined;
  const name = `${sites.fromWire(article.site)}/${article.slug}`;
  const exists = outcome === 'updated' || outcome === 'unchanged' || (outcome === 'created' && !isCheck);
  return exists ? <a href={pathOf(article)}>{name}</a> : name;
}
