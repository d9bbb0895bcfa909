import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { bounds, rules } from '@knowledge/runtime/product';
import type { FastifyInstance } from 'fastify';
import { groupLimits, readGroup } from '../../actions/review/read-group.js';
import { readAtRevision } from '../../ids.js';
import { inWords } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, formCallOf, longer } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { groupPage } from './group-page.js';

/** A thousand times an id with its revision. */
const mostCharacters = 60_000;
/** How many of those that stay the next page names. */
const mostLeft = 20;

/** Registers the page of a group of waiting texts, its one decision, and the undo of that. */
export function registerGroups(app: FastifyInstance, desk: WebDesk): void {
  const moderation = desk.connect('contributions', ModerationServiceService);
  const reasonList = desk.connect('contributions', ReasonServiceService);
  const moderators = onlyFor('moderator');

  app.get('/queue/groups', moderators, async (request, reply) => {
    const key = formField(request.query, 'key', 300);
    const call = () => longer(callOf(request), groupLimits);
    const [texts, { reasons }] = await Promise.all([
      readGroup(moderation, key, call),
      reasonList.listReasons({}, call()),
    ]);
    return sendPage(reply, groupPage({ key, texts, reasons, csrf: csrfTokenOf(reply) }));
  });

  app.post('/queue/groups', moderators, async (request, reply) => {
    const { body } = request;
    const seen = formField(body, 'texts', mostCharacters).split(' ').map(readAtRevision);
    // What is left out names its agent, whose end would withdraw it.
    const keptBy = ({ id }: { readonly id: string }): string => formField(body, `keep-${id}`);
    const decision = {
      contributions: seen.filter((each) => keptBy(each) === ''),
      reason: formField(body, 'canned', bounds.reason.max) || formField(body, 'reason', bounds.reason.max).trim(),
      endAgents: formField(body, 'end') === 'yes',
      keptAuthorizationIds: seen.map(keptBy).filter((id) => id !== ''),
      holdSeconds: rules.undoSeconds,
    };
    const { left } = await moderation
      .rejectGroup(decision, longer(formCallOf(request), groupLimits))
      .catch(inWords({ reason: 'The reason', contributions: 'The texts' }));
    const stay = left.slice(0, mostLeft).map(({ id }) => id);
    return reply.redirect(stay.length === 0 ? '/queue' : `/queue?left=${stay.join('.')}`, 303);
  });

  app.post('/queue/groups/undo', moderators, async (request, reply) => {
    const all = { id: '', expectedRevision: 0, groupId: formField(request.body, 'group') };
    const { undone = 0 } = await moderation.undoDecision(all, longer(formCallOf(request), groupLimits));
    return reply.redirect(`/queue?undone=${undone}`, 303);
  });
}
