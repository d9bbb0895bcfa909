import {
  ArticleDraftServiceService,
  type PutArticleDraftRequest,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCorrection, reasonOf } from '../../actions/article/correction.js';
import { putDraft } from '../../actions/article/put-draft.js';
import { type NextRevision, readDraft, toNextRevision } from '../../actions/article/read-draft.js';
import { requireField } from '../../present/require-field.js';
import { noFaults, readFaults, readValues } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField, timeOfField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { confirmPage, toRevision } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { type ArticleForm, faultsOf, fieldsOf, formOf, readArticleForm } from './article-form.js';
import { articlePath, nameOf, nextPath, pathOf } from './article-name.js';
import { editPage } from './edit-page.js';
import { besideDraft, draftChange } from './next-meanwhile.js';
import { nextActions, nextReading, nextView, type PublishForm } from './next-page.js';
import { preview } from './preview.js';

/** Registers the draft of an article's next revision: write, compare, publish now or at a time, discard. */
export function registerNextRevision(app: FastifyInstance, { connect }: WebDesk): void {
  const editorial = connect('content', EditorialServiceService);
  const drafts = connect('content', ArticleDraftServiceService);
  const moderation = connect('contributions', ModerationServiceService);

  /** The inquiry whose correction the draft brings in; undefined if the address names none. */
  const correctionOf = async (request: FastifyRequest) => {
    const id = formField(request.query, 'inquiry', 36);
    if (id === '') return undefined;
    return readCorrection(moderation, { callContext: () => callOf(request) }, id, nameOf(request));
  };

  const read = async (request: FastifyRequest) => {
    const name = nameOf(request);
    const { article } = await editorial.getArticleRecord(name, callOf(request));
    const record = requireField(article);
    const draft = await readDraft(drafts, { callContext: () => callOf(request) }, name);
    const correction = await correctionOf(request);
    return { now: { entry: requireField(record.entry), body: record.body }, draft, correction };
  };

  const show = async (request: FastifyRequest, reply: FastifyReply, publish?: PublishForm): Promise<FastifyReply> => {
    const { now, draft, correction } = await read(request);
    if (!hasRole(staffOf(request), 'editor')) return sendPage(reply, nextReading(now, draft));
    const view = nextView(now.entry, draft?.notice, now.entry.revision, correction);
    const csrf = csrfTokenOf(reply);
    const after = draft && nextActions(now, draft, csrf, publish);
    const page = editPage({ ...view, form: formOf(draft ?? now), faults: noFaults, after }, csrf);
    return sendPage(reply, { ...page, status: publish === undefined ? 200 : 422 });
  };

  app.get(`${articlePath}/next`, (request, reply) => show(request, reply));

  app.post(`${articlePath}/next`, async (request, reply) => {
    const form = readArticleForm(request);
    const put = {
      ...nameOf(request),
      baseRevision: number(request, 'base'),
      expectedRevision: number(request, 'draft'),
    };
    const isPreview = formField(request.body, 'act') === 'preview';
    try {
      const correction = await correctionOf(request);
      const fields = fieldsOf(form);
      const reason = correction === undefined ? fields.reason : `${reasonOf(correction)} ${fields.reason}`.trim();
      const checked: PutArticleDraftRequest = { ...fields, ...put, reason, validateOnly: isPreview };
      const { draft } = await putDraft(drafts, { callContext: () => callOf(request) }, checked);
      if (!isPreview) return reply.redirect(nextPath(put, correction?.id), 303);
      return await again(request, reply, form, preview(toNextRevision(draft).entry, form.body));
    } catch (error) {
      if (!hasCode(error, 'validation_error') && !hasCode(error, 'invalid_state')) throw error;
      return again(request, reply, form, undefined, error as KnowledgeError);
    }
  });

  /** Shows the form again with what was typed, and with the revisions that it was typed for. */
  const again = async (
    request: FastifyRequest,
    reply: FastifyReply,
    form: ArticleForm,
    shown?: ReturnType<typeof preview>,
    refusal?: KnowledgeError,
  ): Promise<FastifyReply> => {
    const { now, draft, correction } = await read(request);
    const [base, revision] = [number(request, 'base'), number(request, 'draft')];
    const view = { ...nextView(now.entry, draft?.notice, base, correction), guards: { base, draft: revision } };
    const faults = refusal === undefined ? noFaults : faultsOf(refusal, false);
    const late = hasCode(refusal, 'invalid_state') ? await changedMeanwhile(request, form, draft) : {};
    return sendPage(reply, editPage({ ...view, form, faults, preview: shown, ...late }, csrfTokenOf(reply)));
  };

  /** What a colleague saved meanwhile. The form can then be saved again, in place of that. */
  const changedMeanwhile = async (request: FastifyRequest, form: ArticleForm, draft: NextRevision | undefined) => {
    const faults = { of: {}, others: [draftChange(number(request, 'draft'), draft)] };
    // The colleague may have brought in a newer revision; the difference from their draft shows it.
    const base = Math.max(number(request, 'base'), draft?.notice.baseRevision ?? 0);
    const guards = { base, draft: draft?.notice.revision ?? 0 };
    if (draft === undefined) return { faults, guards };
    const put = { ...fieldsOf(form), ...nameOf(request), baseRevision: base, expectedRevision: 0, validateOnly: true };
    const { entry } = toNextRevision((await drafts.putArticleDraft(put, callOf(request))).draft);
    return { faults, guards, after: besideDraft(draft, { entry, body: form.body }) };
  };

  app.post(`${articlePath}/next/publish`, async (request, reply) => {
    const name = nameOf(request);
    const form = readValues(request, { at: 200, reason: 4_000 });
    const draft = { ...name, expectedRevision: number(request, 'draft'), reason: form.reason };
    try {
      const at = timeOfField('at', form.at);
      await drafts.publishArticleDraft({ ...draft, at }, callOf(request));
      return reply.redirect(pathOf(name, at === undefined ? '' : 'next'), 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return show(request, reply, { form, faults: readFaults(error as KnowledgeError, ['at', 'reason']) });
    }
  });

  app.post(`${articlePath}/next/unschedule`, async (request, reply) => {
    await drafts.unscheduleArticleDraft(end(request), callOf(request));
    return reply.redirect(pathOf(nameOf(request), 'next'), 303);
  });

  app.get(`${articlePath}/next/discard`, onlyFor('editor'), async (request, reply) => {
    const { now, draft } = await read(request);
    if (draft === undefined) throw new KnowledgeError('not_found', 'There is no next revision to discard.');
    const { notice } = draft;
    const question = {
      title: `Discard the next revision of ${now.entry.slug}`,
      warning: ['The draft by ', <bdi>{notice.authors.join(', ')}</bdi>, ' is lost. The article does not change.'],
      button: 'Discard',
      action: pathOf(now.entry, 'next/discard'),
      back: pathOf(now.entry, 'next'),
      hidden: { draft: notice.revision },
    };
    return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
  });

  app.post(`${articlePath}/next/discard`, async (request, reply) => {
    await drafts.discardArticleDraft(end(request), callOf(request));
    return reply.redirect(pathOf(nameOf(request)), 303);
  });
}

function number({ body }: FastifyRequest, name: string): number {
  return toRevision(formField(body, name));
}

/** The part of the requests that end a draft, or its time. */
function end(request: FastifyRequest) {
  const reason = formField(request.body, 'reason', 2000);
  return { ...nameOf(request), expectedRevision: number(request, 'draft'), reason };
}
