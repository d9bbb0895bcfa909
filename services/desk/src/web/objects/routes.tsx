import { randomUUID } from 'node:crypto';
import {
  type CommunityObject,
  ContentServiceService,
  type ObjectEntry,
  ObjectKind,
} from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type PutObjectRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { Html } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { objectMarkdown } from '../../export/object-markdown.js';
import { objectKinds, presentObject } from '../../present/object.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { noFaults, readFaults, readValues } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { confirmPage } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { shownText, sourceText, textPreview } from '../layout/text-preview.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { emptyForm, fieldNames, fieldsOf, formOf, most } from './object-form.js';
import {
  type ObjectEditView,
  objectEditPage,
  objectListPage,
  objectPage,
  objectsPath,
  pathOf,
} from './object-pages.js';

type WithId = { Params: { id: string } };

/** Registers the pages for the objects of the catalog. Editors write those of their own. */
export function registerObjects(app: FastifyInstance, { connect }: WebDesk): void {
  const content = connect('content', ContentServiceService);
  const editorial = connect('content', EditorialServiceService);

  const read = async (request: FastifyRequest, id: string): Promise<CommunityObject> =>
    requireField((await content.getObject({ id }, callOf(request))).object);

  const send = (reply: FastifyReply, view: ObjectEditView) => sendPage(reply, objectEditPage(view, csrfTokenOf(reply)));

  app.get(objectsPath, async (request, reply) => {
    const asked = formField(request.query, 'site');
    const site = sites.words.includes(asked) ? asked : (sites.words[0] ?? '');
    const filter = { site, kind: formField(request.query, 'kind') };
    const wire = { site: sites.toWire(site), kind: objectKinds.toWire(filter.kind) };
    const list = { ...wire, pageSize: 50, pageToken: formField(request.query, 'page', 1024) };
    const { entries, nextPageToken } = await content.listObjects(list, callOf(request));
    return sendPage(reply, objectListPage(entries, filter, nextPageToken, hasRole(staffOf(request), 'editor')));
  });

  app.get(`${objectsPath}/new`, onlyFor('editor'), async (_request, reply) =>
    send(reply, { ...newView(randomUUID()), form: emptyForm, faults: noFaults }),
  );

  app.post(`${objectsPath}/new`, async (request, reply) => {
    const id = formField(request.body, 'id');
    return answer(request, reply, newView(id), id);
  });

  app.get<WithId>(`${objectsPath}/:id`, async (request, reply) =>
    sendPage(reply, objectPage(await read(request, request.params.id), staffOf(request))),
  );

  app.get<WithId>(`${objectsPath}/:id/edit`, onlyFor('editor'), async (request, reply) => {
    const object = requireOwn(await read(request, request.params.id));
    return send(reply, { ...editView(object), form: formOf(object), faults: noFaults });
  });

  app.post<WithId>(`${objectsPath}/:id/edit`, async (request, reply) => {
    const { id } = request.params;
    const seen = formField(request.body, 'seen');
    const now = await read(request, id).catch(unlessNotFound);
    const view = { ...viewOf(id, seen), title: 'Edit an object' };
    const late = lateness(now, seen);
    // A preview stores nothing, and the notice comes with the next save.
    if (late === undefined || isPreview(request)) return answer(request, reply, view, id);
    const again = { ...viewOf(id, late.seen), title: view.title, after: late.after };
    return send(reply, { ...again, form: readValues(request, most), faults: { of: {}, others: [late.message] } });
  });

  app.get<WithId>(`${objectsPath}/:id/withdraw`, onlyFor('editor'), async (request, reply) => {
    const object = requireOwn(await read(request, request.params.id));
    const { id, title } = requireField(object.entry);
    const question = {
      title: `Withdraw: ${title}`,
      warning:
        'Readers lose it at once, and its text is deleted. To bring it back, somebody must write or import it again.',
      shown: [<p>Keep this file if it may be needed again:</p>, sourceText(objectMarkdown(object))],
      button: 'Withdraw',
      action: pathOf(id, 'withdraw'),
      back: pathOf(id),
      hidden: {},
    };
    return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
  });

  app.post<WithId>(`${objectsPath}/:id/withdraw`, async (request, reply) => {
    const reason = formField(request.body, 'reason', 2000);
    await editorial.withdrawObject({ id: request.params.id, reason }, callOf(request));
    return reply.redirect(objectsPath, 303);
  });

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    view: Omit<ObjectEditView, 'form' | 'faults'>,
    id: string,
  ): Promise<FastifyReply> => {
    const form = readValues(request, most);
    try {
      const put: PutObjectRequest = { ...fieldsOf(form), id, kind: ObjectKind.KNOWLEDGE };
      if (isPreview(request)) {
        const checked = await editorial.putObject({ ...put, validateOnly: true }, callOf(request));
        const entry = requireField(checked.object);
        return await send(reply, { ...view, form, faults: noFaults, preview: previewOf(entry, put.body) });
      }
      await editorial.putObject(put, callOf(request));
      return reply.redirect(pathOf(id), 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error') && !hasCode(error, 'invalid_state')) throw error;
      return send(reply, { ...view, form, faults: readFaults(error as KnowledgeError, fieldNames) });
    }
  };
}

function isPreview({ body }: FastifyRequest): boolean {
  return formField(body, 'act') === 'preview';
}

function previewOf(entry: ObjectEntry, body: string): Html {
  return textPreview({
    about: `About ${entry.readingTokens} tokens.`,
    page: shownText(entry, body),
    markdown: objectMarkdown({ entry, body }),
    json: { ...presentObject(entry), body, body_format: 'markdown' },
  });
}

/** The form sends the id along, so that a second sending writes the same object. */
function newView(id: string) {
  return { title: 'Write an object', action: `${objectsPath}/new`, hidden: { id }, exists: false, back: objectsPath };
}

function viewOf(id: string, seen: string) {
  return { action: pathOf(id, 'edit'), guards: { seen }, exists: true, back: pathOf(id) };
}

function editView(object: CommunityObject) {
  const { id, title } = requireField(object.entry);
  return { ...viewOf(id, versionOf(object)), title: `Edit: ${title}` };
}

/** Objects have no revision on the wire, but each change gives them another time. */
function versionOf({ entry }: CommunityObject): string {
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

function unlessNotFound(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error;
}

/** @throws KnowledgeError `invalid_state` for a published contribution. */
function requireOwn(object: CommunityObject): CommunityObject {
  if (object.entry?.kind === ObjectKind.KNOWLEDGE) return object;
  throw new KnowledgeError('invalid_state', 'This is a published contribution; moderators correct or retract it.');
}
