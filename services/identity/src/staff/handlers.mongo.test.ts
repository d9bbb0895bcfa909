import { createHash, randomBytes } from 'node:crypto';
import {
  StaffRole,
  StaffServiceService,
  StaffSessionServiceService,
} from '@knowledge/proto/knowledge/identity/v1/staff';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { deskCall, outcomeOf, serveIdentity } from '../testing/serve.js';

const hourMs = 3_600_000;
const served = await serveIdentity('staff');
const sessions = connectGrpc(StaffSessionServiceService, { address: served.address, deadlineMs: 10_000 });
const staff = connectGrpc(StaffServiceService, { address: served.address, deadlineMs: 10_000 });
afterAll(async () => {
  sessions.close();
  staff.close();
});

const newHash = () => createHash('sha256').update(randomBytes(32)).digest('base64url');
const ada = { name: 'ada', displayName: 'Ada Lovelace', email: 'Ada@example.org', roles: [StaffRole.MODERATOR] };
const get = (secretHash: string, alsoOver = false) => sessions.getSession({ secretHash, alsoOver }, deskCall);
const start = async (facts: Partial<typeof ada> = {}) => {
  const secretHash = newHash();
  const { session } = await sessions.startSession({ ...ada, ...facts, secretHash }, deskCall);
  if (session === undefined) throw new Error('no session');
  return { secretHash, session };
};

describe('a session', () => {
  it('is found by the hash of its secret until it is 8 hours old', async () => {
    const { secretHash, session } = await start({ roles: [StaffRole.EDITOR, StaffRole.READER, StaffRole.EDITOR] });
    const roles = [StaffRole.EDITOR, StaffRole.READER];
    expect(session).toMatchObject({ name: 'ada', email: 'ada@example.org', roles });
    served.clock.forward(8 * hourMs - 60_000);
    expect((await get(secretHash)).session).toMatchObject({ id: session.id, lastSeenAt: session.createdAt });
    const { session: seen } = await get(secretHash);
    expect(seen?.lastSeenAt?.getTime()).toBeGreaterThan((session.expiresAt?.getTime() ?? 0) - 2 * 60_000);
    served.clock.forward(61_000);
    expect(await outcomeOf(get(secretHash))).toBe('not_found');
    expect(await outcomeOf(get(newHash(), true))).toBe('not_found');
    expect((await get(secretHash, true)).session?.id).toBe(session.id);
  });

  it('is started once, even if the call is repeated', async () => {
    const { secretHash, session } = await start();
    const repeated = await sessions.startSession({ ...ada, name: 'eve', secretHash }, deskCall);
    expect(repeated.session).toEqual(session);
  });

  it('is over when the staff member signs out or an administrator ends it, and the log says who', async () => {
    const [out, ended] = [await start(), await start()];
    await sessions.signOut({ secretHash: out.secretHash }, deskCall);
    const { id } = ended.session;
    const call = { ...deskCall, actor: 'root' };
    const { session } = await staff.endSession({ id, reason: 'left the company' }, call);
    expect(session).toMatchObject({ id, endedBy: 'root' });
    expect((await staff.endSession({ id, reason: 'again' }, { ...call, actor: 'eve' })).session).toEqual(session);
    expect(await Promise.all([out, ended].map(({ secretHash }) => outcomeOf(get(secretHash))))).toEqual(
      Array(2).fill('not_found'),
    );
    const log = served.db.collection('transitions');
    const logged = (of: string) => log.find({ id: of }, { sort: { revision: 1 } }).toArray();
    await vi.waitFor(async () => expect(await logged(id)).toHaveLength(2), 10_000);
    expect(await logged(id)).toMatchObject([
      { subject: 'session', to: 'open', actor: 'ada' },
      { subject: 'session', from: 'open', to: 'ended', actor: 'root', reason: 'left the company' },
    ]);
    await vi.waitFor(async () => expect(await logged(out.session.id)).toHaveLength(2), 10_000);
    expect((await logged(out.session.id))[1]).toMatchObject({ to: 'signed_out', actor: 'ada' });
  });

  it.each([
    ['without a name', { name: '' }],
    ['with a name of spaces', { name: '  ' }],
    ['with a hidden character in the name', { name: 'a\u200bda' }],
    ['with a long name', { name: 'a'.repeat(201) }],
    ['with a line break in the display name', { displayName: 'Ada\nLovelace' }],
    ['with two addresses', { email: 'ada@example.org, eve@example.org' }],
    ['without a role', { roles: [] }],
    ['with an unknown role', { roles: [StaffRole.UNSPECIFIED] }],
  ])('%s is refused', async (_how, facts) => {
    expect(await outcomeOf(start(facts))).toBe('validation_error');
  });

  it('must name a hash, so that no secret is stored by mistake', async () => {
    expect(await outcomeOf(sessions.startSession({ ...ada, secretHash: 'secret' }, deskCall))).toBe('validation_error');
    expect(await outcomeOf(get('secret'))).toBe('validation_error');
  });
});

describe('a sign-in code', () => {
  const create = (codeHash: string) =>
    staff.createSignInCode({ codeHash, name: 'lea', roles: [StaffRole.ADMINISTRATOR] }, deskCall);
  const redeem = (codeHash: string, secretHash = newHash()) =>
    sessions.redeemSignInCode({ codeHash, secretHash }, deskCall);

  it('starts one session, also when the call is repeated within a minute', async () => {
    const [codeHash, secretHash] = [newHash(), newHash()];
    const { expiresAt } = await create(codeHash);
    expect(await create(codeHash)).toEqual({ expiresAt });
    const { session } = await redeem(codeHash, secretHash);
    expect(session).toMatchObject({ name: 'lea', roles: [StaffRole.ADMINISTRATOR] });
    expect((await redeem(codeHash, secretHash)).session).toEqual(session);
    expect(await outcomeOf(redeem(codeHash))).toBe('not_found');
    expect((await get(secretHash)).session?.id).toBe(session?.id);
    served.clock.forward(61_000);
    expect(await outcomeOf(redeem(codeHash, secretHash))).toBe('not_found');
  });

  it('of many who use it at once is good for one', async () => {
    const codeHash = newHash();
    await create(codeHash);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(redeem(codeHash))));
    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
  });

  it('ends after ten minutes, and an unknown one is none', async () => {
    const codeHash = newHash();
    await create(codeHash);
    served.clock.forward(10 * 60_000 + 1000);
    expect(await outcomeOf(redeem(codeHash))).toBe('not_found');
    expect(await outcomeOf(redeem(newHash()))).toBe('not_found');
  });
});

it('lists open sessions, newest first, and staff members with their last roles', async () => {
  const zoe = await start({ name: 'zoe', roles: [StaffRole.READER] });
  const again = await start({ name: 'zoe', displayName: 'Zoe', roles: [StaffRole.SUPPORT] });
  await sessions.signOut({ secretHash: zoe.secretHash }, deskCall);
  const first = await staff.listSessions({ open: true, pageSize: 1, pageToken: '' }, deskCall);
  expect(first.sessions).toEqual([again.session]);
  const all = await staff.listSessions({ open: false, pageSize: 1, pageToken: first.nextPageToken }, deskCall);
  expect(all.sessions[0]).toMatchObject({ id: zoe.session.id, endedBy: 'zoe' });
  const page = await staff.listStaff({ pageSize: 1, pageToken: '' }, deskCall);
  expect(page.members).toMatchObject([{ name: 'ada', displayName: 'Ada Lovelace' }]);
  const rest = await staff.listStaff({ pageSize: 0, pageToken: page.nextPageToken }, deskCall);
  expect(rest).toMatchObject({ nextPageToken: '' });
  expect(rest.members.at(-1)).toMatchObject({ name: 'zoe', displayName: 'Zoe', roles: [StaffRole.SUPPORT] });
});
