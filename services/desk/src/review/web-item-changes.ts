import { KnowledgeError } from '@knowledge/runtime';
import { bounds, capitalised, decisions, labels, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDecisionName } from '../base/contribution-words.js';
import { requireField } from '../base/words.js';
import { decisionAction, type Edit, editAction, linesOf } from '../contributions/decisions.js';
import {
  daysOf,
  formCallOf,
  formField,
  inWords,
  partOf,
  requiredReasonOf,
  revisionIn,
  takeForm,
} from '../pages/index.js';
import { type Outcome, withOutcome } from './web-page.js';
import { itemPath, type QueueServices, readFilter, readItem, writeFilter } from './web-read-queue.js';

/** Registers the forms of the open item. */
export function registerItemChanges(app: FastifyInstance, services: QueueServices): void {
  const { moderation, teamwork } = services;

  takeForm(app, '/queue/:id/decision', async (request) => {
    const id = partOf(request);
    const name = formField(request.body, 'decision');
    if (!isDecisionName(name)) throw new KnowledgeError('validation_error', 'decision: is not one that we know.');
    const { isHeld, inputs } = decisions[name];
    const { body, query } = request;
    const texts = inputs.map((input) => [input.name, formField(body, input.name, bounds.body.max).trim()]);
    const inputLabels = inputs.map((input) => [input.name, capitalised(input.label)]);
    const expectedRevision = revisionIn(request);
    const decision = { id, expectedRevision, holdSeconds: isHeld ? rules.undoSeconds : 0 };
    const { apply } = decisionAction(name, Object.fromEntries(texts));
    await apply(moderation(request), decision).catch(inWords(Object.fromEntries(inputLabels)));
    return withOutcome(`/queue/${id}/next${writeFilter(readFilter(query))}`, { what: name, id });
  });

  takeForm(app, '/queue/:id/edit', async (request) => {
    const id = partOf(request);
    const { body } = request;
    const item = await readItem(moderation(request), id, false);
    const removes = typeof (body as { remove?: unknown }).remove === 'string';
    const lines = linesOf(item).map((name) => [name, formField(body, name, bounds[name].max).trim()]);
    const edit: Edit = {
      ...(!removes && { body: textOf(request, bounds.body.max), ...Object.fromEntries(lines) }),
      ...(formField(body, 'unname') === 'yes' && { name: '' }),
      remove: removes ? passagesOf(formField(body, 'remove', bounds.body.max)) : [],
      forgetBefore: formField(body, 'forget') === 'yes',
    };
    const reason = formField(body, 'reason', bounds.reason.max).trim();
    const expectedRevision = revisionIn(request);
    const { apply } = editAction(edit, reason, item);
    await apply(moderation(request), { id, expectedRevision }).catch(inWords(editLabels));
    return backTo(request);
  });

  takeForm(app, '/queue/:id/notes', async (request) => {
    const text = textOf(request, bounds.reason.max);
    const call = formCallOf(request);
    const note = { contributionId: partOf(request), id: call.requestId, text };
    await teamwork(request)
      .addNote(note, call)
      .catch(inWords({ text: 'A note' }));
    return backTo(request);
  });

  takeForm(app, '/queue/:id/undo', async (request) => {
    await moderation(request).undoDecision({ id: partOf(request), expectedRevision: revisionIn(request) });
    return backTo(request, 'undone');
  });

  takeForm(app, '/queue/:id/sender', async (request) => backTo(request, await changeSender(services, request)));
}

/** Ends the access of the agent of an item, blocks its human, or ends that block. */
async function changeSender({ moderation, grants }: QueueServices, request: FastifyRequest): Promise<Outcome['what']> {
  const { body } = request;
  const call = formCallOf(request);
  const access = grants(request);
  const reason = requiredReasonOf(request);
  const found = await moderation(request).getContributionRecord({ id: partOf(request), notShown: true }, call);
  const { email, contribution } = requireField(found.contribution);
  const { authorizationId } = requireField(contribution);
  if (formField(body, 'what') === 'unblock') {
    await access.unblockRequests({ email, reason }, call);
    return 'unblocked';
  }
  const [ends, blocks] = ['end', 'block'].map((name) => formField(body, name) === 'yes');
  if (!ends && !blocks) throw new KnowledgeError('validation_error', 'Tick what to stop.');
  const days = blocks ? daysOf(request) : undefined;
  // In this order the mail about the block does not speak of an agent that can still read.
  if (ends) await access.endAgentAccess({ email, authorizationId, reason }, call);
  if (days === undefined) return 'ended';
  await access.blockRequests({ email, days, reason }, call);
  return ends ? 'stopped' : 'blocked';
}

/** The labels of the form that corrects a text. */
const editLabels = { ...labels, remove: 'Words that must go', reason: 'The reason' };

/** The path of the item that a form was about, with what was just done. */
function backTo(request: FastifyRequest, what?: Outcome['what']) {
  const id = partOf(request);
  return withOutcome(itemPath(id, readFilter(request.query)), what && { what, id });
}

/** An empty line stands between two passages. */
function passagesOf(text: string) {
  return text.split(/\n\s*\n/).filter((each) => each.trim() !== '');
}

function textOf({ body }: FastifyRequest, max: number) {
  return formField(body, 'text', max).trim();
}
