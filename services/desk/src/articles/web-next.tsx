import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  answerForm,
  confirmPage,
  formField,
  formPage,
  hasRole,
  isPreview,
  noFaults,
  readValues,
  type SentForm,
  staffOf,
  takeForm,
  timeOfField,
  toRevision,
  type WebDesk,
} from '../pages/index.js';
import { putDraft, readCorrection, readDraft, reasonOf, toNextRevision } from './drafts.js';
import { articleStates } from './present-article.js';
import {
  type ArticleForm,
  articleFields,
  articlePath,
  editPage,
  formOf,
  nameOf,
  openArticle,
  pathOf,
  previewOf,
  putOf,
  readArticleForm,
} from './web-article.js';
import {
  besideDraft,
  draftChange,
  nextActions,
  nextPath,
  nextReading,
  nextView,
  type PublishForm,
} from './web-next-page.js';

/** Registers the draft of an article's next revision: write, compare, publish now or at a time, discard. */
export function registerNextRevision(app: FastifyInstance, { calls }: WebDesk): void {
  const editorial = calls('content', EditorialServiceService);
  const drafts = calls('content', ArticleDraftServiceService);
  const moderation = calls('contributions', ModerationServiceService);

  /** The inquiry whose correction the draft brings in; undefined if the address names none. */
  const correctionOf = async (request: FastifyRequest) => {
    const id = formField(request.query, 'inquiry', 36);
    return id === '' ? undefined : readCorrection(moderation(request), id, nameOf(request));
  };

  const draftOf = (request: FastifyRequest) => readDraft(drafts(request), nameOf(request));

  const read = async (request: FastifyRequest) => {
    const { record, entry, body } = await openArticle(editorial, request);
    const draft = await draftOf(request);
    return { now: { entry, body }, state: record.state, draft, correction: await correctionOf(request) };
  };

  /** The next revision as it is stored. `publish` is the form for publishing it, if that was refused. */
  const page = async (request: FastifyRequest, publish?: PublishForm) => {
    const { now, state, draft, correction } = await read(request);
    if (!hasRole(staffOf(request), 'editor')) return nextReading(now, draft);
    const after = draft && nextActions(now, draft, publish);
    const view = nextView(now.entry, articleStates.fromWire(state), draft?.notice, correction);
    return editPage(view, { form: formOf(draft ?? now), faults: noFaults, after });
  };

  formPage<ArticleForm>(app, `${articlePath}/next`, {
    fields: articleFields,
    typed: readArticleForm,
    async save(form, request) {
      const { base: baseRevision, draft: expectedRevision } = guardsIn(request);
      const put = { ...nameOf(request), baseRevision, expectedRevision, validateOnly: isPreview(request) };
      try {
        const correction = await correctionOf(request);
        const fields = putOf(form);
        const reason = correction === undefined ? fields.reason : `${reasonOf(correction)} ${fields.reason}`.trim();
        const { draft } = await putDraft(drafts(request), { ...fields, ...put, reason });
        if (!put.validateOnly) return nextPath(put, correction?.id);
        return { form, faults: noFaults, preview: previewOf(toNextRevision(draft).entry, form.body) };
      } catch (error) {
        if (hasCode(error, 'invalid_state')) return changedMeanwhile(request, form);
        throw error;
      }
    },
    async show(request, sent) {
      if (sent === undefined) return page(request);
      const { now, state, draft, correction } = await read(request);
      const view = nextView(now.entry, articleStates.fromWire(state), draft?.notice, correction);
      return editPage({ ...view, guards: guardsIn(request) }, sent);
    },
  });

  /** What a colleague saved meanwhile. The form can then be saved again, in place of that. */
  const changedMeanwhile = async (request: FastifyRequest, form: ArticleForm): Promise<SentForm<ArticleForm>> => {
    const draft = await draftOf(request);
    const opened = guardsIn(request);
    const faults = { of: {}, others: [draftChange(opened.draft, draft)] };
    // The colleague may have brought in a newer revision; the difference from their draft shows it.
    const base = Math.max(opened.base, draft?.notice.baseRevision ?? 0);
    const guards = { base, draft: draft?.notice.revision ?? 0 };
    if (draft === undefined) return { form, faults, guards };
    const put = { ...putOf(form), ...nameOf(request), baseRevision: base, expectedRevision: 0, validateOnly: true };
    const { entry } = toNextRevision((await drafts(request).putArticleDraft(put)).draft);
    return { form, faults, guards, after: besideDraft(draft, { entry, body: form.body }) };
  };

  answerForm(app, `${articlePath}/next/publish`, {
    fields: ['at', 'reason'],
    typed: (request) => readValues(request, { at: 200, reason: 4_000 }),
    async save({ at: typed, reason }, request) {
      const at = timeOfField('at', typed);
      await drafts(request).publishArticleDraft({ ...end(request, reason), at });
      return pathOf(nameOf(request), at === undefined ? '' : 'next');
    },
    show: page,
  });

  takeForm(app, `${articlePath}/next/unschedule`, async (request, reason) => {
    await drafts(request).unscheduleArticleDraft(end(request, reason));
    return pathOf(nameOf(request), 'next');
  });

  confirmPage(app, `${articlePath}/next/discard`, {
    roles: ['editor'],
    async ask(request) {
      const { now, draft } = await read(request);
      if (draft === undefined) throw new KnowledgeError('not_found', 'There is no next revision to discard.');
      return {
        title: `Discard the next revision of ${now.entry.slug}`,
        warning: [
          'The draft by ',
          <bdi>{draft.notice.authors.join(', ')}</bdi>,
          ' is lost. The article does not change.',
        ],
        button: 'Discard',
        back: pathOf(now.entry, 'next'),
        hidden: { draft: draft.notice.revision },
      };
    },
    async change(request, reason) {
      await drafts(request).discardArticleDraft(end(request, reason));
      return pathOf(nameOf(request));
    },
  });
}

/** The revisions that a text was typed for. */
function guardsIn({ body }: FastifyRequest) {
  return { base: toRevision(formField(body, 'base')), draft: toRevision(formField(body, 'draft')) };
}

/** The part of the requests that end a draft, or its time. */
function end(request: FastifyRequest, reason: string) {
  return { ...nameOf(request), expectedRevision: guardsIn(request).draft, reason };
}
