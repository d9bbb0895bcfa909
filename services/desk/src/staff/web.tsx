import { type StaffMember, StaffServiceService, type StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { FastifyInstance } from 'fastify';
import {
  type Cells,
  moreLink,
  pageIn,
  partOf,
  reasonForm,
  rolesOf,
  showPage,
  staffOf,
  takeForm,
  titled,
  titledTable,
  type WebDesk,
} from '../pages/index.js';

const path = '/admin';
const pageSize = 50;

/** Registers the pages of administrators: staff members with their roles, and open sessions. */
export function registerAdmin(app: FastifyInstance, { calls }: WebDesk): void {
  const staff = calls('identity', StaffServiceService);

  showPage(app, path, async (request) => {
    const [open, known] = await Promise.all([
      staff(request).listSessions({ open: true, ...pageIn(request, pageSize, 'sessions') }),
      staff(request).listStaff(pageIn(request, pageSize, 'staff')),
    ]);
    const cells = sessionCells(staffOf(request).sessionId);
    const main = (
      <>
        {titledTable('Open sessions', open.sessions, cells, 'Nobody is signed in.')}
        {moreLink('More sessions', path, {}, open.nextPageToken, 'sessions')}
        {titledTable('Staff members', known.members, memberCells, 'Nobody has signed in yet.')}
        <p class="soft">Everybody who signed in during the last 400 days, with the roles of the last sign-in.</p>
        {moreLink('More staff members', path, {}, known.nextPageToken, 'staff')}
      </>
    );
    return titled('Administration', main);
  });

  takeForm(app, `${path}/sessions/:id/end`, async (request, reason) => {
    await staff(request).endSession({ id: partOf(request), reason });
    return path;
  });
}

/** `own` is the session that reads the page. */
function sessionCells(own: string): Cells<StaffSession> {
  return {
    'Staff member': nameOf,
    Roles: ({ roles }) => rolesOf(roles).join(', '),
    'Signed in': 'createdAt',
    'Last seen': 'lastSeenAt',
    End: ({ id, name }) => {
      const action = `${path}/sessions/${id}/end`;
      return id === own ? 'yours' : reasonForm({ action, button: 'End', label: `End the session of ${name}` });
    },
  };
}

const memberCells: Cells<StaffMember> = {
  'Staff member': nameOf,
  Roles: ({ roles }) => rolesOf(roles).join(', '),
  'Last sign-in': 'lastSignedInAt',
};

function nameOf({ name, displayName, email }: Pick<StaffMember, 'name' | 'displayName' | 'email'>) {
  const more = [displayName !== name && displayName, email].filter(Boolean).join(', ');
  return (
    <>
      <bdi>{name}</bdi>
      {more !== '' && (
        <span class="small">
          <bdi>{more}</bdi>
        </span>
      )}
    </>
  );
}
