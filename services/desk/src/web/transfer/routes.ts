import multipart from '@fastify/multipart';
import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { exportArticle, putArticle } from '../../actions/transfer.js';
import { type Caller, importLimits } from '../../services.js';
import { requireField } from '../../words.js';
import { readArticleFilter, toWireFilter } from '../articles/articles.js';
import {
  callOf,
  csrfTokenOf,
  formField,
  hasRole,
  longer,
  onlyFor,
  sendPage,
  showPage,
  staffOf,
  type WebDesk,
} from '../page-parts.js';
import { readUpload, type ZippedFile, zipOf } from './files.js';
import { type ArticleSource, importEach } from './import-each.js';
import { resultPage, transferPage, transferPath } from './transfer-page.js';

/** More articles than one download should have. */
const mostArticles = 50_000;
const concurrency = 8;

/** Registers the import and the export of article files. */
export function registerTransfer(app: FastifyInstance, { connect }: WebDesk): void {
  const editorial = connect('content', EditorialServiceService);

  showPage(app, transferPath, async (request, csrf) => transferPage(csrf, hasRole(staffOf(request), 'editor')), [
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
      if (files.length === 0) return sendPage(reply, transferPage(csrfTokenOf(reply), true, 'Choose the files first.'));
      const isCheck = formField(body, 'act') === 'check';
      const options = {
        site: formField(body, 'site') || undefined,
        publish: formField(body, 'publish') === 'yes',
        schedule: formField(body, 'schedule') === 'yes',
        overwrite: formField(body, 'overwrite') === 'yes',
        reason: formField(body, 'reason', 20_000),
      };
      const caller = callerOf(request);
      const { overwrite } = options;
      const results = await importEach(files, options, async (put) => {
        const checked = await putArticle(caller, editorial, put, { validateOnly: true, overwrite });
        return isCheck ? checked : putArticle(caller, editorial, put, { validateOnly: false, overwrite });
      });
      return sendPage(reply, resultPage(results, isCheck));
    });
    done();
  });

  app.get(`${transferPath}/articles.zip`, async (request, reply) => {
    const caller = callerOf(request);
    const names = await listNames(caller, toWireFilter(readArticleFilter(request)));
    return reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="articles.zip"')
      .send(zipOf(filesOf(caller, names)));
  });

  type Name = { readonly site: Site; readonly slug: string };

  /** All names come first, because a change during the export moves an article in the list. */
  async function listNames(caller: Caller, filter: ReturnType<typeof toWireFilter>): Promise<Name[]> {
    const names: Name[] = [];
    let pageToken = '';
    do {
      const list = { ...filter, pageSize: 200, pageToken };
      const page = await editorial.listArticleRecords(list, caller.callContext());
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

  async function* filesOf(caller: Caller, names: readonly Name[]): AsyncGenerator<ZippedFile> {
    for (let at = 0; at < names.length; at += concurrency) {
      const batch = names.slice(at, at + concurrency);
      const files = await Promise.all(batch.map((name) => exportArticle(editorial, caller, name)));
      for (const file of files) if (file !== undefined) yield { path: file.path, text: file.markdown };
    }
  }
}

/** Calls in the name of the staff member. Many calls take longer than one request may, so each has its own deadline. */
function callerOf(request: FastifyRequest): Caller {
  return { callContext: () => longer(callOf(request), importLimits) };
}
