import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decisions, presentReason, type ReasonView, toWireDecision } from '../../present/reason.js';
import { type FormFaults, noFaults, readFaults } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf } from '../http/session.js';
import { confirmPage } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { strange } from '../layout/values.js';
import type { WebDesk } from '../web-desk.js';
import { type ReasonField, type ReasonForm, reasonFields, reasonsPage } from './reasons-page.js';

type OneReason = { Params: { id: string } };

const path = '/admin/reasons';
const empty: ReasonForm = { id: '', words: '', decisions: ['reject'], order: '0' };

/** Registers the page on which administrators keep the canned reasons of moderators. */
export function registerReasons(app: FastifyInstance, { connect }: WebDesk): void {
  const client = connect('contributions', ReasonServiceService);

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    formOf: (reasons: readonly ReasonView[]) => ReasonForm | undefined,
    faults: FormFaults<ReasonField>,
  ): Promise<FastifyReply> => {
    const { reasons } = await client.listReasons({}, callOf(request));
    const shown = reasons.map(presentReason);
    return sendPage(reply, reasonsPage(shown, formOf(shown) ?? empty, csrfTokenOf(reply), faults));
  };

  app.get(path, onlyFor(), async (request, reply) => {
    const edited = formField(request.query, 'edit');
    const formOf = (reasons: readonly ReasonView[]) => {
      const reason = reasons.find(({ id }) => id === edited);
      return reason && { ...reason, order: String(reason.order) };
    };
    return send(request, reply, formOf, noFaults);
  });

  app.post(path, async (request, reply) => {
    const sent = {
      id: formField(request.body, 'id').trim(),
      words: formField(request.body, 'words', 20_000).trim(),
      decisions: decisions.filter((decision) => formField(request.body, `for-${decision}`) === 'yes'),
      order: formField(request.body, 'order').trim(),
    };
    try {
      if (!/^\d{1,6}$/.test(sent.order)) throw new KnowledgeError('validation_error', 'order must be a number from 0.');
      const reason = { ...sent, decisions: sent.decisions.map(toWireDecision), order: Number(sent.order) };
      await client.putReason({ reason }, callOf(request));
      return reply.redirect(path, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return send(request, reply, () => sent, readFaults(error as KnowledgeError, reasonFields));
    }
  });

  app.get<OneReason>(`${path}/:id/delete`, onlyFor(), async (request, reply) => {
    const { reasons } = await client.listReasons({}, callOf(request));
    const reason = reasons.find(({ id }) => id === request.params.id);
    if (reason === undefined) throw new KnowledgeError('not_found', 'There is no such reason.');
    const { id, words } = reason;
    const question = {
      title: `Delete the reason ${id}`,
      warning: ['Moderators can no longer choose it: ', <q>{strange(words)}</q>],
      button: 'Delete',
      action: `${path}/${encodeURIComponent(id)}/delete`,
      back: path,
    };
    return sendPage(reply, confirmPage({ ...question, withoutReason: true, hidden: {} }, csrfTokenOf(reply)));
  });

  app.post<OneReason>(`${path}/:id/delete`, async (request, reply) => {
    await client.deleteReason({ id: request.params.id }, callOf(request));
    return reply.redirect(path, 303);
  });
}
