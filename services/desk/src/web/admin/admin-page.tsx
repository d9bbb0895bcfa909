import type {
  ListSessionsResponse,
  ListStaffResponse,
  StaffMember,
  StaffSession,
} from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Html } from '@knowledge/runtime/html';
import { reasonForm } from '../forms/blocks.js';
import { type Shown, titled } from '../layout/send-page.js';
import { type Column, columnsOf, moreLink, titledTable } from '../layout/tables.js';
import { timeOf } from '../layout/values.js';
import { rolesOf } from '../staff/staff-member.js';

interface AdminFacts {
  readonly sessions: ListSessionsResponse;
  readonly members: ListStaffResponse;
  /** The id of the session that reads the page. */
  readonly own: string;
  readonly csrf: string;
}

/** Who is signed in, and who works here with which roles. */
export function adminPage({ sessions, members, own, csrf }: AdminFacts): Shown {
  return titled(
    'Administration',
    <>
      {titledTable('Open sessions', sessions.sessions, sessionColumns(own, csrf), 'Nobody is signed in.')}
      {moreLink('More sessions', '/admin', { sessions: sessions.nextPageToken }, sessions.nextPageToken)}
      {titledTable('Staff members', members.members, memberColumns, 'Nobody has signed in yet.')}
      <p class="soft">Everybody who signed in during the last 400 days, with the roles of the last sign-in.</p>
      {moreLink('More staff members', '/admin', { staff: members.nextPageToken }, members.nextPageToken)}
    </>,
  );
}

function sessionColumns(own: string, csrf: string): readonly Column<StaffSession>[] {
  return [
    { header: 'Staff member', cell: nameOf },
    { header: 'Roles', cell: ({ roles }) => rolesOf(roles).join(', ') },
    { header: 'Signed in', cell: ({ createdAt }) => timeOf(createdAt) },
    { header: 'Last seen', cell: ({ lastSeenAt }) => timeOf(lastSeenAt) },
    {
      header: 'End',
      cell: ({ id, name }) =>
        id === own
          ? 'yours'
          : reasonForm({
              action: `/admin/sessions/${id}/end`,
              csrf,
              button: 'End',
              label: `End the session of ${name}`,
            }),
    },
  ];
}

const memberColumns = columnsOf<StaffMember>({
  'Staff member': nameOf,
  Roles: ({ roles }) => rolesOf(roles).join(', '),
  'Last sign-in': ({ lastSignedInAt }) => timeOf(lastSignedInAt),
});

function nameOf({ name, displayName, email }: Pick<StaffMember, 'name' | 'displayName' | 'email'>): Html {
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
