import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { FastifyInstance } from 'fastify';
import { presentLimit } from '../../present/limit.js';
import { callOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { limitsPage } from './limits-page.js';

/** Registers the page with the limits that hold. */
export function registerLimits(app: FastifyInstance, { connect }: WebDesk): void {
  const quota = connect('quota', QuotaAdminServiceService);

  app.get('/admin/limits', async (request, reply) => {
    const { limits } = await quota.listLimits({}, callOf(request));
    return sendPage(reply, limitsPage(limits.map(presentLimit)));
  });
}
