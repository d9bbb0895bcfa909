import type {
  ListSessionsResponse,
  ListStaffResponse,
  StaffMember,
  StaffSession,
} from '@knowledge/proto/knowledge/identity/v1/staff';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import { csrfField } from '../layout/layout.js';
import type { Shown } from '../layout/send-page.js';
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
  const main = (
    <>
      <h1>Administration</h1>
      <p>
        <a href="/admin/reasons">Canned reasons</a> that moderators choose from.
      </p>
      <h2>Open sessions</h2>
      <section class="scroll" tabindex="0" aria-label="Open sessions">
        <table>
          <thead>
            <tr>
              <th scope="col">Staff member</th>
              <th scope="col">Roles</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last seen</th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>{sessions.sessions.map((session) => sessionRow(session, own, csrf))}</tbody>
        </table>
      </section>
      {nextLink('sessions', sessions.nextPageToken)}
      <h2>Staff members</h2>
      <p class="soft">Everybody who signed in during the last 400 days, with the roles of the last sign-in.</p>
      <section class="scroll" tabindex="0" aria-label="Staff members">
        <table>
          <thead>
            <tr>
              <th scope="col">Staff member</th>
              <th scope="col">Roles</th>
              <th scope="col">Last sign-in</th>
            </tr>
          </thead>
          <tbody>{members.members.map(memberRow)}</tbody>
        </table>
      </section>
      {nextLink('staff', members.nextPageToken)}
    </>
  );
  return { title: 'Administration', main };
}

function sessionRow(session: StaffSession, own: string, csrf: string): Html {
  const { id, roles, createdAt, lastSeenAt } = session;
  return (
    <tr>
      <td>{nameOf(session)}</td>
      <td>{rolesOf(roles).join(', ')}</td>
      <td>{timeOf(createdAt)}</td>
      <td>{timeOf(lastSeenAt)}</td>
      <td>
        {id === own ? (
          'yours'
        ) : (
          <form class="inline" method="post" action={`/admin/sessions/${id}/end`}>
            {csrfField(csrf)}
            <input
              type="text"
              name="reason"
              maxlength="2000"
              placeholder="Reason"
              aria-label={`Reason to end the session of ${session.name}`}
            />
            <button aria-label={`End the session of ${session.name}`}>End</button>
          </form>
        )}
      </td>
    </tr>
  );
}

function memberRow(member: StaffMember): Html {
  return (
    <tr>
      <td>{nameOf(member)}</td>
      <td>{rolesOf(member.roles).join(', ')}</td>
      <td>{timeOf(member.lastSignedInAt)}</td>
    </tr>
  );
}

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

function timeOf(at: Date | undefined): Html | undefined {
  return at && minuteElement(at);
}

function nextLink(list: 'sessions' | 'staff', token: string): Html | undefined {
  if (token === '') return undefined;
  return (
    <p>
      <a href={`/admin?${list}=${encodeURIComponent(token)}`}>More</a>
    </p>
  );
}
