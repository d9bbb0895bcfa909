import { randomUUID } from 'node:crypto';
import { type CommunityObject, type ObjectEntry, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { hasCode, KnowledgeError, unlessNotFound } from '@knowledge/runtime';
import { languageTag } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import {
  type Editorial,
  fieldsOf,
  formField,
  formPage,
  isPreview,
  mostOfText,
  noFaults,
  partOf,
  putOfText,
  readFaults,
  readValues,
  type SentForm,
  selectField,
  shownText,
  siteChoices,
  type TextView,
  textFields,
  textPage,
  textPreview,
} from '../pages/index.js';
import { objectMarkdown } from './object-file.js';
import { presentObject } from './present.js';

export const objectsPath = '/articles/objects';

export function objectPath(id: string, page = ''): string {
  return `${objectsPath}/${encodeURIComponent(id)}${page === '' ? '' : `/${page}`}`;
}

const most = { ...mostOfText, site: 10 };

/** What an editor has typed, as it was typed. */
type ObjectForm = Readonly<Record<keyof typeof most, string>>;

const fields = Object.keys(most);
const emptyForm: ObjectForm = readValues({ body: {} }, most);
const typed = (request: FastifyRequest): ObjectForm => readValues(request, most);

/** Registers the forms for a new object and for the text of an object. */
export function registerObjectForms(
  app: FastifyInstance,
  editorial: Editorial,
  read: (request: FastifyRequest) => Promise<CommunityObject>,
): void {
  /** Publishes the object of a form, or shows what it would look like. */
  const publish = async (
    form: ObjectForm,
    request: FastifyRequest,
    id: string,
  ): Promise<string | SentForm<ObjectForm>> => {
    try {
      const put = { ...putOfText(form), site: sites.toWire(form.site), kind: ObjectKind.KNOWLEDGE };
      const object = { ...put, id, validateOnly: isPreview(request) };
      const { object: entry } = await editorial(request).putObject(object);
      if (!isPreview(request)) return objectPath(id);
      return { form, faults: noFaults, preview: previewOf(requireField(entry), form.body) };
    } catch (error) {
      if (!hasCode(error, 'invalid_state')) throw error;
      return { form, faults: readFaults(error, fields) };
    }
  };

  formPage(app, `${objectsPath}/new`, {
    roles: ['editor'],
    fields,
    typed,
    save: (form, request) => publish(form, request, formField(request.body, 'id')),
    async show({ body }, sent) {
      // The form sends the id along, so that a second sending writes the same object.
      const id = sent === undefined ? randomUUID() : formField(body, 'id');
      const view = { action: `${objectsPath}/new`, hidden: { id }, back: objectsPath };
      return editPage('Write an object', view, sent ?? { form: emptyForm, faults: noFaults });
    },
  });

  formPage(app, `${objectsPath}/:id/edit`, {
    roles: ['editor'],
    fields,
    typed,
    async save(form, request) {
      const now = await read(request).catch(unlessNotFound);
      const late = lateness(now, formField(request.body, 'seen'));
      // A preview stores nothing, and the notice comes with the next save.
      if (late === undefined || isPreview(request)) return publish(form, request, partOf(request));
      const { seen, message, after } = late;
      return { form, faults: { of: {}, others: [message] }, guards: { seen }, after };
    },
    async show(request, sent) {
      const id = partOf(request);
      const view = { action: objectPath(id, 'edit'), back: objectPath(id) };
      if (sent !== undefined) {
        const guards = { seen: formField(request.body, 'seen') };
        return editPage('Edit an object', view, { guards, ...sent });
      }
      const object = requireOwn(await read(request));
      const guards = { seen: versionOf(object) };
      return editPage(`Edit: ${requireField(object.entry).title}`, view, {
        guards,
        form: formOf(object),
        faults: noFaults,
      });
    },
  });
}

/** The page with the form for the text of an object. One that exists is read at a version, and stays on its site. */
function editPage(title: string, view: Pick<TextView, 'action' | 'hidden' | 'back'>, sent: SentForm<ObjectForm>) {
  const { form, faults, guards } = sent;
  const intro = <p class="soft">Readers get an object as soon as you publish it.</p>;
  const site = fieldsOf(form, faults)('site', 'Site', 'It stays.');
  const text = textFields(form, faults, languageTag(form.language), {
    summary: 'For lists and search. Empty takes the beginning of the text.',
    language: 'Such as en or pl; empty if it is unknown.',
    published_at: 'Without a time: now, or as it was.',
  });
  const fields = (
    <>
      {guards === undefined && selectField({ ...site, choices: siteChoices })}
      {[text.title, text.summary]}
      <div class="two">{[text.author, text.language, text.published]}</div>
      {[text.body, text.reason]}
    </>
  );
  const hidden = guards === undefined ? view.hidden : { site: form.site };
  return textPage({ ...view, title, intro, hidden, save: 'Publish' }, sent, fields);
}

/** Fills a form with a stored object. */
function formOf({ entry, body }: CommunityObject): ObjectForm {
  const { site, title, summary, author, language, published_at } = presentObject(requireField(entry));
  const optional = { author: author ?? '', language: language ?? '', published_at: published_at ?? '' };
  return { ...emptyForm, ...optional, site, title, summary, body };
}

function previewOf(entry: ObjectEntry, body: string) {
  return textPreview(
    {
      about: `About ${entry.readingTokens} tokens.`,
      entry,
      markdown: objectMarkdown({ entry, body }),
      view: presentObject(entry),
    },
    body,
  );
}

/** Objects have no revision on the wire, but each change gives them another time. */
function versionOf({ entry }: CommunityObject) {
  return String(entry?.updatedAt?.getTime() ?? 0);
}

/** What happened to the object after the editor saw it; undefined if nothing did. */
function lateness(now: CommunityObject | undefined, seen: string) {
  if (now === undefined) {
    const message = 'Somebody withdrew the object meanwhile. If you publish again, readers get it back.';
    return seen === withdrawn ? undefined : { seen: withdrawn, message, after: undefined };
  }
  if (versionOf(now) === seen) return undefined;
  return {
    seen: versionOf(now),
    message: 'Somebody changed the object meanwhile. If you publish again, your text replaces the one below.',
    after: [<h2>What readers see now</h2>, shownText(requireField(now.entry), now.body)],
  };
}

const withdrawn = 'withdrawn';

/** @throws KnowledgeError `invalid_state` for a published contribution. */
export function requireOwn(object: CommunityObject): CommunityObject {
  if (object.entry?.kind === ObjectKind.KNOWLEDGE) return object;
  throw new KnowledgeError('invalid_state', 'This is a published contribution; moderators correct or retract it.');
}
