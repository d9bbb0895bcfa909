import { hash, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { UsageError } from '../base/desk-error.js';
import { resolveId } from '../base/ids.js';
import { callsOf, type Session } from '../base/session.js';
import {
  presentStaffMember,
  presentStaffSession,
  type StaffMemberView,
  type StaffSessionView,
  staffRoles,
} from '../base/staff.js';
import { type Columns, idColumn } from '../base/table.js';
import { readableTime, timestamp } from '../base/time.js';
import { requireField } from '../base/words.js';
import { group, list, readListPages, result } from '../terminal/command-table.js';
import { limit, reason } from '../terminal/options.js';

const staff = callsOf('identity', StaffServiceService);

function findOpenSession(session: Session, word: string) {
  const { listSessions } = staff(session);
  const read = (page: { pageSize: number; pageToken: string }) => listSessions({ open: true, ...page });
  const find = async () => (await readListPages(session, read, ({ sessions }) => sessions)).items;
  return resolveId(word, find, 'open session');
}

const sessionColumns: Columns<StaffSessionView> = {
  ...idColumn,
  name: { value: 'name', flexible: true },
  roles: { value: (each) => each.roles.join(' '), flexible: true },
  'signed in, UTC': 'created_at',
  'last seen': { value: 'last_seen_at', dropPriority: 1 },
  ends: (each) => readableTime(each.ended_at ?? each.expires_at),
};

const memberColumns: Columns<StaffMemberView> = {
  name: { value: 'name', flexible: true },
  'display name': { value: 'display_name', flexible: true, dropPriority: 2 },
  'e-mail': { value: 'email', flexible: true, dropPriority: 1 },
  roles: { value: (each) => each.roles.join(' '), flexible: true },
  'last sign-in, UTC': 'last_signed_in_at',
};

/** `knowledge desk …`: who works in the web desk. */
export const desk = group({
  commands: {
    'sign-in': result({
      about: 'print a link with which one person signs in to a local web desk, once, within ten minutes',
      takes: {
        '--name <name>': { about: 'who signs in; what they change is stored under this name', initial: ownName() },
        '--role <role...>': {
          about: 'what the person may do',
          choices: staffRoles.words,
          initial: ['administrator'],
        },
        '--url <url>': 'where the web desk is, if no local start says so',
      },
      run: async (session, { name, role, url = session.settings.runFile?.desk }) => {
        if (url === undefined) throw new UsageError('No web desk runs here; give its address with --url.');
        if (!URL.canParse('/sign-in', url))
          throw new UsageError(`--url must be like https://desk.example.com, not ${url}.`);
        const code = randomBytes(32).toString('base64url');
        const codeHash = hash('sha256', code, 'base64url');
        const request = { codeHash, name, roles: role.map(staffRoles.toWire) };
        const { expiresAt } = await staff(session).createSignInCode(request);
        const link = new URL(`/sign-in?code=${code}`, url).href;
        return { url: link, name, roles: role, expires_at: timestamp(expiresAt) };
      },
      text: ({ url }) => url,
      examples: ['desk sign-in', 'desk sign-in --name mona --role moderator support'],
    }),
    sessions: list({
      about: 'list who is signed in to the web desk, newest first',
      takes: { '--all': 'also sessions that are over; they are kept for 30 days', ...limit },
      run: (session, { all }, page) => staff(session).listSessions({ open: !all, ...page }),
      items: ({ sessions }) => sessions.map(presentStaffSession),
      columns: sessionColumns,
      one: 'session',
      none: () => 'Nobody is signed in.',
      examples: ['desk sessions', 'desk sessions --all --limit 20'],
    }),
    'end-session': result({
      about: 'sign a person out of the web desk at once',
      takes: {
        '<id>': 'its id, as "desk sessions" shows it, or its first characters (at least 4)',
        ...reason('why, stored with the end of the session'),
      },
      find: findOpenSession,
      run: async (session, given) =>
        presentStaffSession(requireField((await staff(session).endSession(given)).session)),
      text: ({ name }) => `The session of ${name} is over.`,
      examples: ['desk end-session ID --reason "lost laptop"'],
    }),
    staff: list({
      about: 'list who has signed in to the web desk, with the roles of the last sign-in',
      takes: limit,
      run: (session, _, page) => staff(session).listStaff(page),
      items: ({ members }) => members.map(presentStaffMember),
      columns: memberColumns,
      one: 'staff member',
      none: () => 'Nobody has signed in yet.',
      examples: ['desk staff'],
    }),
  },
  examples: ['desk sign-in --role moderator', 'desk sessions', 'desk end-session ID', 'desk staff'],
});

function ownName() {
  try {
    return userInfo().username;
  } catch {
    // The user of a container may have no name.
    return 'administrator';
  }
}
