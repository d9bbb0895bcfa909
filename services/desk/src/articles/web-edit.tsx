import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleRecord,
  type PutArticleRequest,
  PutOutcome,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isEqual } from '../base/difference.js';
import { requireField, sites } from '../base/words.js';
import {
  type Editorial,
  formField,
  formPage,
  isPreview,
  mostOfText,
  noFaults,
  onlyFor,
  readFaults,
  revisionIn,
  type SentForm,
  sideBySide,
  strange,
} from '../pages/index.js';
import { articleDifference } from './difference.js';
import { scheduleLoss } from './drafts.js';
import { suggestSlug } from './foreign.js';
import { articleStates, presentRevision, type RevisionView } from './present-article.js';
import {
  type ArticleForm,
  articleFields,
  articlePath,
  type EditView,
  editPage,
  emptyForm,
  formOf,
  lossNotice,
  type Naming,
  nameOf,
  newFields,
  openArticle,
  pathOf,
  previewOf,
  putOf,
  readArticleForm,
  slugField,
} from './web-article.js';

type Name = Pick<PutArticleRequest, 'site' | 'slug' | 'publish' | 'expectedRevision'>;

/** Registers the forms for a new article and for the text of an article. */
export function registerArticleForms(app: FastifyInstance, editorial: Editorial): void {
  formPage<ArticleForm, ArticleRecord>(app, '/articles/new', {
    roles: ['editor'],
    fields: newFields,
    typed: readArticleForm,
    save(form, request) {
      const naming = namingOf(request);
      const name = { site: sites.toWire(naming.site), slug: naming.slug, publish: false, expectedRevision: 0 };
      return put(editorial, form, request, name, naming);
    },
    async show(request, sent) {
      const naming = sent === undefined ? { site: '', slug: '', suggested: '' } : namingOf(request);
      return editPage({ ...newView, naming }, sent ?? { form: emptyForm, faults: noFaults });
    },
  });

  app.get('/articles/new/slug', onlyFor('editor'), async ({ query }, reply) => {
    const [slug, before] = [formField(query, 'slug'), formField(query, 'suggested')];
    const suggested = suggestSlug(formField(query, 'title', mostOfText.title));
    const field = slugField({ slug: slug === before ? suggested : slug, suggested }, noFaults);
    return reply.type('text/html; charset=utf-8').send(field.markup);
  });

  formPage<ArticleForm, ArticleRecord>(app, `${articlePath}/edit`, {
    roles: ['editor'],
    fields: articleFields,
    typed: readArticleForm,
    save: (form, request) =>
      put(editorial, form, request, { ...nameOf(request), publish: false, expectedRevision: revisionIn(request) }),
    async show(request, sent) {
      if (sent !== undefined) return editPage(viewOf(request, revisionIn(request), sent.checked), sent);
      const { record, ...text } = await openArticle(editorial, request);
      const view = viewOf(request, text.entry.revision, record);
      return editPage(view, { form: formOf(text), faults: noFaults });
    },
  });
}

/** Stores a text after it was checked, or shows what it would look like. */
async function put(editorial: Editorial, form: ArticleForm, request: FastifyRequest, name: Name, naming?: Naming) {
  try {
    const article = { ...putOf(form), ...name };
    const { article: stored, outcome } = await editorial(request).putArticle({ ...article, validateOnly: true });
    const record = requireField(stored);
    const again = { form, faults: noFaults, checked: record };
    if (isPreview(request)) return { ...again, preview: previewOf(requireField(record.entry), form.body) };
    if (naming !== undefined && record.entry?.revision !== 1) {
      throw new KnowledgeError('invalid_state', `There is an article ${naming.slug} on ${naming.site} already.`);
    }
    if (naming !== undefined && formField(request.body, 'slug') === '') {
      return { ...again, faults: { of: {}, others: [checkName] } };
    }
    // A colleague may have scheduled the next revision while this form was open.
    const isLoss = outcome === PutOutcome.UPDATED && scheduleLoss(record) !== undefined;
    if (isLoss && formField(request.body, 'loss') !== lossOf(record)) {
      return { ...again, faults: { of: {}, others: [mindLoss] } };
    }
    await editorial(request).putArticle(article);
    return pathOf(name);
  } catch (error) {
    if (!hasCode(error, 'invalid_state')) throw error;
    const refused = { form, faults: readFaults(error, []) };
    return name.expectedRevision === 0 ? refused : changedMeanwhile(editorial, request, refused, name);
  }
}

/** Shows what a colleague changed meanwhile: text or state. The form can then be sent again, in place of that. */
async function changedMeanwhile(
  editorial: Editorial,
  request: FastifyRequest,
  { form, faults }: SentForm<ArticleForm>,
  name: Name,
) {
  const { record, entry, body } = await openArticle(editorial, request);
  const opened = name.expectedRevision;
  const old = await editorial(request).getArticleRevision({ ...name, revision: opened });
  const difference = articleDifference({ ...old, entry: requireField(old.entry) }, { entry, body });
  const stateChange = stateChangeSince(presentRevision(requireField(old.revision)), record);
  const isTextSame = isEqual(difference);
  const after = (
    <>
      <h2>Changed meanwhile</h2>
      {stateChange}
      {!isTextSame && (
        <>
          <p>
            Bring these changes into your text, then save again: your text then stands in place of revision{' '}
            {entry.revision}.
          </p>
          {sideBySide(difference, `revision ${opened}, as you opened it`, `revision ${entry.revision}, now`)}
        </>
      )}
    </>
  );
  return {
    form,
    faults: { of: {}, others: [...faults.others, isTextSame ? seeState : seeBelow] },
    guards: { revision: entry.revision },
    after,
  };
}

/** Says who gave the article another state since a revision; nothing if it has the same. */
function stateChangeSince({ to_state: before }: RevisionView, { state, history }: ArticleRecord) {
  const now = articleStates.fromWire(state);
  const change = history.findLast(({ fromState, toState }) => fromState !== toState);
  if (now === before || change === undefined) return undefined;
  return (
    <p class="notice">
      {strange(change.actor)} {now === 'draft' ? 'returned this to draft' : `${now} this`} meanwhile; readers{' '}
      {now === 'published' ? 'see it' : 'do not see it'}.
    </p>
  );
}

const checkName = 'The name in the URL was made from the title. Check it, then save again.';
const mindLoss = 'The next revision is scheduled now. If you save again, it loses its time.';
const seeBelow = 'What changed meanwhile stands below the form. If you save again, your text replaces it.';

const seeState =
  'What changed meanwhile stands below the form. If you save again, your text is stored, and the state stays.';

const newView = { title: 'Write an article', action: '/articles/new', save: 'Save as draft', back: '/articles' };

/** The name of a new article as it was sent. Without one it follows the title. */
function namingOf({ body }: FastifyRequest): Naming {
  const suggested = suggestSlug(formField(body, 'title', mostOfText.title));
  return { site: formField(body, 'site'), slug: formField(body, 'slug') || suggested, suggested };
}

/** The time that a change takes from the next revision. */
function lossOf({ draft }: ArticleRecord) {
  return String(draft?.publishAt?.getTime() ?? '');
}

/** The form for an article. It says what the change means for readers, and sends along which loss was shown. */
function viewOf(request: FastifyRequest, revision: number, record: ArticleRecord | undefined): EditView {
  const name = nameOf(request);
  const loss = record === undefined ? formField(request.body, 'loss') : lossOf(record);
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
