import { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { FastifyInstance } from 'fastify';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf, staffOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { adminPage } from './admin-page.js';

const pageSize = 50;

/** Registers the pages of administrators: staff members with their roles, and open sessions. */
export function registerAdmin(app: FastifyInstance, { connect }: WebDesk): void {
  const staff = connect('identity', StaffServiceService);

  app.get('/admin', async (request, reply) => {
    const { query } = request;
    const sessionsFrom = { open: true, pageSize, pageToken: formField(query, 'sessions', 1024) };
    const [sessions, members] = await Promise.all([
      staff.listSessions(sessionsFrom, callOf(request)),
      staff.listStaff({ pageSize, pageToken: formField(query, 'staff', 1024) }, callOf(request)),
    ]);
    const own = staffOf(request).sessionId;
    return sendPage(reply, adminPage({ sessions, members, own, csrf: csrfTokenOf(reply) }));
  });

  app.post<{ Params: { id: string } }>('/admin/sessions/:id/end', async (request, reply) => {
    const reason = formField(request.body, 'reason', 2000);
    await staff.endSession({ id: request.params.id, reason }, callOf(request));
    return reply.redirect('/admin', 303);
  });
}
