import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentLimit, toWirePolicy } from '../../present/limit.js';
import { noFaults, readFaults, readValues } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { type CeilingView, ceilingPage } from './ceiling-page.js';
import { limitsPage, limitsPath } from './limits-page.js';

interface OneCeiling {
  Params: { policy: string };
}

/** Registers the page with the limits that hold, and the form for each ceiling. */
export function registerLimits(app: FastifyInstance, { connect }: WebDesk): void {
  const quota = connect('quota', QuotaAdminServiceService);
  const read = async (request: FastifyRequest) => {
    const { limits } = await quota.listLimits({}, callOf(request));
    return limits.map(presentLimit);
  };
  const send = async (
    request: FastifyRequest<OneCeiling>,
    reply: FastifyReply,
    view: Pick<CeilingView, 'form' | 'faults'> | undefined,
  ): Promise<FastifyReply> => {
    const limit = (await read(request)).find(({ policy }) => policy === request.params.policy);
    if (limit === undefined || limit.ceiling === null) throw new KnowledgeError('not_found', 'There is no such limit.');
    const { form = { units: String(limit.limit), reason: '' }, faults = noFaults } = view ?? {};
    return sendPage(reply, ceilingPage({ limit, ceiling: limit.ceiling, form, faults }, csrfTokenOf(reply)));
  };

  app.get(limitsPath, async (request, reply) =>
    sendPage(reply, limitsPage(await read(request), hasRole(staffOf(request)))),
  );

  app.get<OneCeiling>(`${limitsPath}/:policy`, onlyFor(), (request, reply) => send(request, reply, undefined));

  app.post<OneCeiling>(`${limitsPath}/:policy`, async (request, reply) => {
    const form = readValues(request, { units: 20, reason: 4_000 });
    const restores = formField(request.body, 'act') === 'restore';
    try {
      const units = restores ? undefined : toUnits(form.units.trim());
      await quota.setCeiling(
        { policy: toWirePolicy(request.params.policy), units, reason: form.reason },
        callOf(request),
      );
      return reply.redirect(limitsPath, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return send(request, reply, { form, faults: readFaults(error as KnowledgeError, ['units', 'reason']) });
    }
  });
}

function toUnits(typed: string): number {
  if (!/^\d{1,9}$/.test(typed))
    throw new KnowledgeError('validation_error', 'units must be a whole number of at most nine digits; 0 is off.');
  return Number(typed);
}
