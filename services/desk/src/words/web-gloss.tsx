import { type ArticleEntry, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  type GetGlossResponse,
  type PutGlossRequest,
  SearchWordsServiceService,
} from '@knowledge/proto/knowledge/content/v1/search';
import { isUuid, KnowledgeError, unlessNotFound } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import {
  areaField,
  buttonRow,
  confirmPage,
  csrfField,
  facts,
  fieldsOf,
  formField,
  formPage,
  isRefused,
  linkButton,
  mainButton,
  noFaults,
  readValues,
  reasonField,
  refusal,
  type SentForm,
  strange,
  textField,
  timeOf,
  titled,
  type WebDesk,
} from '../pages/index.js';

export const glossPath = '/articles/words/gloss';

/** More than any field may have, so that nothing typed is lost before the service says so. */
const most = { title: 10_000, summary: 10_000, reason: 20_000 };

/** A text: the slug of an article of the site, or the id of an object. */
type Name = { readonly site: string; readonly text: string };

/** Registers the page for the English gloss of an article or an object. */
export function registerGlosses(app: FastifyInstance, { calls }: WebDesk): void {
  const words = calls('content', SearchWordsServiceService);
  const content = calls('content', ContentServiceService);
  const editorial = calls('content', EditorialServiceService);

  const readText = async (request: FastifyRequest, { site, text }: Name): Promise<GlossedText> => {
    if (isUuid(text)) {
      const { object } = await content(request).getObject({ id: text });
      return { ...requireField(object?.entry), path: `/articles/objects/${text}` };
    }
    const { article } = await editorial(request).getArticleRecord({ site: sites.toWire(site), slug: text });
    return { ...requireField(article?.entry), path: `/articles/${site}/${text}` };
  };

  const readGloss = (request: FastifyRequest, name: Name) =>
    words(request)
      .getGloss({ text: toWire(name) })
      .catch(unlessNotFound);

  formPage(app, glossPath, {
    fields: ['title', 'summary', 'reason'],
    rephrase: (message) => message.replaceAll('gloss.', ''),
    typed: (request) => ({ ...nameIn(request.body), ...readValues(request, most) }),
    async save({ site, text, reason, ...gloss }, request) {
      const name = { site, text };
      await words(request).putGloss({ text: toWire(name), gloss, reason, validateOnly: false });
      return pathOf(name);
    },
    async show(request, sent) {
      const { site, text } = sent?.form ?? nameIn(request.query);
      const name = { site, text };
      const glossed = await readText(request, name);
      const stored = await readGloss(request, name);
      const { title = '', summary = '' } = stored?.gloss ?? {};
      const { form, faults } = sent ?? { form: { ...name, title, summary, reason: '' }, faults: noFaults };
      return glossPage(glossed, stored, { form, faults });
    },
  });

  confirmPage(app, `${glossPath}/remove`, {
    async ask(request, named) {
      const name = nameIn(named);
      const { title } = await readText(request, name);
      const stored = await readGloss(request, name);
      if (stored === undefined) return pathOf(name);
      const { gloss } = stored;
      return {
        title: `Remove the gloss of ${title}`,
        warning: 'Readers who search in English no longer find the text by these words, and they are not kept:',
        shown: facts({ Title: strange(gloss?.title), Summary: strange(gloss?.summary) }),
        button: 'Remove',
        back: pathOf(name),
        hidden: name,
      };
    },
    async change(request, reason) {
      const name = nameIn(request.body);
      await words(request).putGloss({ text: toWire(name), gloss: undefined, reason, validateOnly: false });
      return pathOf(name);
    },
  });
}

/** A text that a gloss is of, with its page in the web desk. */
interface GlossedText extends Pick<ArticleEntry, 'title' | 'summary' | 'language'> {
  readonly path: string;
}

/** The English title and summary of a text in another language. `stored` is undefined if it has none. */
function glossPage(
  { title, language, summary, path }: GlossedText,
  stored: GetGlossResponse | undefined,
  { form, faults }: SentForm<Name & Readonly<Record<keyof typeof most, string>>>,
) {
  const { site, text } = form;
  const field = fieldsOf(form, faults);
  return titled(
    `Gloss of ${title}`,
    <>
      {facts({
        Language: language || 'unknown',
        Summary: strange(summary),
        Changed: timeOf(stored?.updatedAt),
        By: strange(stored?.updatedBy),
      })}
      {stored === undefined && <p>It has no gloss yet.</p>}
      {stored !== undefined && stored.textRevision > stored.writtenForRevision && (
        <p class="notice">
          The gloss is of revision {stored.writtenForRevision}, and the text has revision {stored.textRevision} now.
          Look whether it still fits, and save it again.
        </p>
      )}
      {refusal(faults)}
      <form class="edit" method="post" action={glossPath} data-unsent={isRefused(faults)}>
        {csrfField({ site, text })}
        {textField({ ...field('title', 'English title'), maxlength: bounds.articleTitle.max })}
        {areaField({ ...field('summary', 'English summary'), rows: 3 })}
        {reasonField(field('reason', 'Reason'))}
        {buttonRow(
          mainButton('Save'),
          stored !== undefined &&
            linkButton(`${glossPath}/remove?${new URLSearchParams({ site, text })}`, 'Remove the gloss'),
          linkButton(path, 'Cancel'),
        )}
      </form>
    </>,
    { back: [path, 'The text'], heading: ['Gloss of ', <bdi>{title}</bdi>] },
  );
}

function pathOf(name: Name) {
  return `${glossPath}?${new URLSearchParams(name)}`;
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
function nameIn(sent: FastifyRequest['query'] | FastifyRequest['body']): Name {
  const site = formField(sent, 'site');
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such site.');
  return { site, text: formField(sent, 'text').trim().toLowerCase() };
}

function toWire({ site, text }: Name): NonNullable<PutGlossRequest['text']> {
  return isUuid(text)
    ? { $case: 'objectId', value: text }
    : { $case: 'article', value: { site: sites.toWire(site), slug: text } };
}
