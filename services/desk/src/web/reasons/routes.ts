import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decisions, presentReason, type ReasonView, toWireDecision } from '../../present/reason.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { reasonsPage } from './reasons-page.js';

const path = '/admin/reasons';
const empty: ReasonView = { id: '', words: '', decisions: ['reject'], order: 0 };

/** Registers the page on which administrators keep the canned reasons of moderators. */
export function registerReasons(app: FastifyInstance, { connect }: WebDesk): void {
  const client = connect('contributions', ReasonServiceService);

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    formOf: (reasons: readonly ReasonView[]) => ReasonView | undefined,
    fault?: string,
  ): Promise<FastifyReply> => {
    const { reasons } = await client.listReasons({}, callOf(request));
    const shown = reasons.map(presentReason);
    return sendPage(reply, reasonsPage(shown, formOf(shown) ?? empty, csrfTokenOf(reply), fault));
  };

  app.get(path, async (request, reply) => {
    const edited = formField(request.query, 'edit');
    return send(request, reply, (reasons) => reasons.find(({ id }) => id === edited));
  });

  app.post(path, async (request, reply) => {
    const sent = {
      id: formField(request.body, 'id').trim(),
      words: formField(request.body, 'words', 5000).trim(),
      decisions: decisions.filter((decision) => formField(request.body, `for-${decision}`) === 'yes'),
      order: formField(request.body, 'order').trim(),
    };
    try {
      if (!/^\d{1,6}$/.test(sent.order)) throw new KnowledgeError('validation_error', 'Place: give a number from 0.');
      const reason = { ...sent, decisions: sent.decisions.map(toWireDecision), order: Number(sent.order) };
      await client.putReason({ reason }, callOf(request));
      return reply.redirect(path, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return send(request, reply, () => ({ ...sent, order: Number(sent.order) || 0 }), error.message);
    }
  });

  app.post<{ Params: { id: string } }>(`${path}/:id/delete`, async (request, reply) => {
    await client.deleteReason({ id: request.params.id }, callOf(request));
    return reply.redirect(path, 303);
  });
}
