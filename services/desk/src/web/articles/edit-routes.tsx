import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleRecord,
  EditorialServiceService,
  type PutArticleRequest,
  type PutArticleResponse,
  PutOutcome,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scheduleLoss } from '../../actions/article/schedule-loss.js';
import { suggestSlug } from '../../article/suggest-slug.js';
import { articleDifference } from '../../difference/article-difference.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { noFaults } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf } from '../http/session.js';
import { toRevision } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { emptyForm, faultsOf, fieldsOf, formOf, most, readArticleForm } from './article-form.js';
import { articlePath, nameOf, pathOf } from './article-name.js';
import { type EditView, editPage, lossNotice, meanwhile, slugField } from './edit-page.js';
import { preview } from './preview.js';

/** Registers the forms for a new article and for the text of an article. */
export function registerArticleForms(app: FastifyInstance, { connect }: WebDesk): void {
  const editorial = connect('content', EditorialServiceService);

  const send = (reply: FastifyReply, view: EditView) => sendPage(reply, editPage(view, csrfTokenOf(reply)));

  app.get('/articles/new', onlyFor('editor'), async (_request, reply) =>
    send(reply, { ...newView, form: emptyForm, naming: { site: '', slug: '', suggested: '' }, faults: noFaults }),
  );

  app.get('/articles/new/slug', onlyFor('editor'), async ({ query }, reply) => {
    const [slug, before] = [formField(query, 'slug'), formField(query, 'suggested')];
    const suggested = suggestSlug(formField(query, 'title', most.title));
    const field = slugField({ slug: slug === before ? suggested : slug, suggested }, noFaults);
    return reply.type('text/html; charset=utf-8').send(field.markup);
  });

  app.post('/articles/new', async (request, reply) => {
    const suggested = suggestSlug(formField(request.body, 'title', most.title));
    const naming = {
      site: formField(request.body, 'site'),
      slug: formField(request.body, 'slug') || suggested,
      suggested,
    };
    const name = { site: sites.toWire(naming.site), slug: naming.slug };
    return answer(request, reply, { ...newView, naming }, { ...name, ...firstRevision });
  });

  app.get(`${articlePath}/edit`, onlyFor('editor'), async (request, reply) => {
    const { article } = await editorial.getArticleRecord(nameOf(request), callOf(request));
    const record = requireField(article);
    const entry = requireField(record.entry);
    const form = formOf({ entry, body: record.body });
    return send(reply, { ...viewOf(request, entry.revision, record), form, faults: noFaults });
  });

  app.post(`${articlePath}/edit`, async (request, reply) => {
    const expectedRevision = toRevision(formField(request.body, 'revision'));
    const view = viewOf(request, expectedRevision, undefined);
    return answer(request, reply, view, { ...nameOf(request), publish: false, expectedRevision });
  });

  /** What a colleague changed meanwhile. The form can then be sent again, in place of that. */
  const changedMeanwhile = async (
    request: FastifyRequest,
    name: Pick<PutArticleRequest, 'site' | 'slug' | 'expectedRevision'>,
  ) => {
    const { article } = await editorial.getArticleRecord(name, callOf(request));
    const { entry: sent, body } = requireField(article);
    const entry = requireField(sent);
    const old = await editorial.getArticleRevision({ ...name, revision: name.expectedRevision }, callOf(request));
    const difference = articleDifference({ ...old, entry: requireField(old.entry) }, { entry, body });
    return {
      guards: { revision: entry.revision },
      after: meanwhile(difference, name.expectedRevision, entry.revision),
    };
  };

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    view: Omit<EditView, 'form' | 'faults'>,
    name: Pick<PutArticleRequest, 'site' | 'slug' | 'publish' | 'expectedRevision'>,
  ): Promise<FastifyReply> => {
    const form = readArticleForm(request);
    const isPreview = formField(request.body, 'act') === 'preview';
    try {
      const put = { ...fieldsOf(form), ...name };
      const checked = await editorial.putArticle({ ...put, validateOnly: true }, callOf(request));
      const article = requireField(checked.article);
      const seen = view.naming === undefined ? viewOf(request, name.expectedRevision, article) : view;
      if (isPreview) {
        const shown = preview(requireField(article.entry), put.body);
        return await send(reply, { ...seen, form, faults: noFaults, preview: shown });
      }
      requireNew(view, checked);
      if (view.naming !== undefined && formField(request.body, 'slug') === '') {
        return await send(reply, { ...view, form, faults: { of: {}, others: [checkName] } });
      }
      // A colleague may have scheduled the next revision while this form was open.
      const isLoss = checked.outcome === PutOutcome.UPDATED && scheduleLoss(article) !== undefined;
      if (isLoss && formField(request.body, 'loss') !== seen.hidden?.['loss']) {
        return await send(reply, { ...seen, form, faults: { of: {}, others: [mindLoss] } });
      }
      await editorial.putArticle(put, callOf(request));
      return reply.redirect(pathOf(name), 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error') && !hasCode(error, 'invalid_state')) throw error;
      const late = hasCode(error, 'invalid_state') && name.expectedRevision > 0;
      const met = late ? await changedMeanwhile(request, name) : {};
      const { of, others } = faultsOf(error as KnowledgeError, view.naming !== undefined);
      const faults = { of, others: late ? [...others, seeBelow] : others };
      return send(reply, { ...view, ...met, form, faults });
    }
  };
}

const checkName = 'The name in the URL was made from the title. Check it, then save again.';
const mindLoss = 'The next revision is scheduled now. If you save again, it loses its time.';
const seeBelow = 'What changed meanwhile stands below the form. If you save again, your text replaces it.';

const newView = {
  title: 'Write an article',
  action: '/articles/new',
  save: 'Save as draft',
  back: '/articles',
};
const firstRevision = { publish: false, expectedRevision: 0 };

/** Refuses to write a new article over another one that has its name. */
function requireNew({ naming }: Pick<EditView, 'naming'>, { article }: PutArticleResponse): void {
  if (naming === undefined || article?.entry?.revision === 1) return;
  throw new KnowledgeError('invalid_state', `There is an article ${naming.slug} on ${naming.site} already.`);
}

/** The form for an article. It says what the change means for readers, and sends along which loss was shown. */
function viewOf(
  request: FastifyRequest,
  revision: number,
  record: ArticleRecord | undefined,
): Omit<EditView, 'form' | 'faults'> {
  const name = nameOf(request);
  const loss =
    record === undefined ? formField(request.body, 'loss') : String(record.draft?.publishAt?.getTime() ?? '');
  const intro = (
    <>
      {record?.state === ArticleState.PUBLISHED && (
        <p class="soft">Readers get what you save at once. Its next revision can be written beside it.</p>
      )}
      {record && lossNotice(record)}
    </>
  );
  const around = { title: `Edit ${name.slug}`, action: pathOf(name, 'edit'), save: 'Save', back: pathOf(name) };
  return { ...around, intro, hidden: { loss }, guards: { revision } };
}
