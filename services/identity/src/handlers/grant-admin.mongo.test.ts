import { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { readPieces } from '@knowledge/runtime/client';
import { collect } from '@knowledge/runtime/testing';
import { describe, expect, it, vi } from 'vitest';
import { deskCall, keyIn, outcomeOf, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('grant_admin');

const watch = (afterCursor: string, filter: Partial<WatchFilter> = {}) =>
  collect(served.admin.watchGrants({ afterCursor, filter: WatchFilter.fromPartial(filter) }, deskCall));

const grant = async (email: string) => {
  const granted = await served.grant(email);
  return { ...granted, tokenId: granted.token.id };
};

describe('authorizations', () => {
  it('are listed newest first, by e-mail and by state, with their mails', async () => {
    const { id, tokenId } = await grant('list@example.org');
    const { authorization } = await served.authorize('list@example.org');
    const all = await served.authorizationsOf('LIST@example.org', { pageSize: 1 });
    expect(all.authorizations).toMatchObject([
      { authorization: { id: authorization?.id }, email: 'list@example.org', tokenId: '', history: [] },
    ]);
    const rest = await served.authorizationsOf('list@example.org', { pageSize: 5, pageToken: all.nextPageToken });
    expect(rest).toMatchObject({ nextPageToken: '', authorizations: [{ authorization: { id }, tokenId }] });
    const issued = await served.authorizationsOf('', { state: AuthorizationState.ISSUED });
    expect(issued.authorizations.map((each) => each.authorization?.id)).toContain(id);
    expect(issued.authorizations.map((each) => each.authorization?.id)).not.toContain(authorization?.id);
    await vi.waitFor(async () => {
      const { authorization: record } = await served.admin.getAuthorizationRecord({ id }, deskCall);
      expect(record?.mails).toMatchObject([
        { purpose: 'confirmation', state: 'sent', attempts: 1 },
        { purpose: 'welcome', state: 'sent', attempts: 1 },
      ]);
    });
  });

  it('are not found by an unknown id', async () => {
    for (const id of ['', 'x', '00000000-0000-4000-8000-000000000000']) {
      await expect(served.admin.getAuthorizationRecord({ id }, deskCall)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('are found by an id prefix', async () => {
    const { authorization } = await served.authorize('short@example.org');
    const id = authorization?.id ?? '';
    const found = await served.authorizationsOf('', { idPrefix: id.slice(0, 13) });
    expect(found.authorizations.map((each) => each.authorization?.id)).toEqual([id]);
  });

  it('issued by support are mailed to their human with a working link', async () => {
    const changes = { agentName: 'Desk helper', reason: 'asked by phone' };
    const { token } = await served.issue('support@example.org', changes);
    const received = await served.mailTo('support@example.org');
    expect(received.mail.subject).toBe('An agent was given access in your name');
    expect(received.mail.text).toContain('Desk helper');
    expect(received.raw).not.toContain('asked by phone');
    const accessKey = keyIn(received);
    expect((await served.access(accessKey)).tokens).toMatchObject([{ id: token?.id }]);
    expect(await served.endAccess(accessKey)).toMatchObject({ revoked: 1 });
  });
});

it('a token is shown with its history and its authorization', async () => {
  const { id, secret, tokenId } = await grant('shown@example.org');
  await served.revoke(tokenId, 'leaked in a ticket');
  const shown = await served.admin.getTokenRecord({ id: tokenId }, deskCall);
  expect(shown).toMatchObject({
    token: { id: tokenId, email: 'shown@example.org', endedBy: 'support' },
    history: [
      { fromState: '', toState: 'active', actor: 'agent' },
      { fromState: 'active', toState: 'revoked', actor: 'ana', reason: 'leaked in a ticket' },
    ],
    authorization: {
      authorization: { id, purpose: 'To tell of our rollout' },
      tokenId,
      mails: [{ purpose: 'confirmation' }, { purpose: 'welcome' }, { purpose: 'ended' }],
      history: [{ toState: 'pending' }, { toState: 'confirmed' }, { toState: 'issued' }, { toState: 'revoked' }],
    },
  });
  expect(JSON.stringify(shown)).not.toContain(secret);
  for (const unknown of ['', 'x', id]) {
    await expect(served.admin.getTokenRecord({ id: unknown }, deskCall)).rejects.toMatchObject({ code: 'not_found' });
  }
});

describe('the log of transitions', () => {
  it('streams every transition once and in order, and resumes without loss or repeat', async () => {
    const live = watch('');
    await live.begun;
    const first = await grant('watch@example.org');
    await vi.waitFor(() => expect(live.seen.filter(({ id }) => id === first.tokenId)).toHaveLength(1), 15_000);
    live.stop();
    await served.revoke(first.tokenId, 'lost');
    const others = await Promise.all([1, 2, 3].map((at) => grant(`watch${at}@example.org`)));

    const resumed = watch(live.seen.at(-1)?.cursor ?? '');
    const ids = [first, ...others].flatMap(({ id, tokenId }) => [id, tokenId]);
    const mine = () => [...live.seen, ...resumed.seen].filter(({ id }) => ids.includes(id));
    await vi.waitFor(() => expect(mine()).toHaveLength(4 * 4 + 2), 15_000);
    const cursors = mine().map(({ cursor }) => Number.parseInt(cursor, 10));
    expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
    const of = (wanted: string) =>
      mine()
        .filter(({ id }) => id === wanted)
        .map(({ subject, transition: t }) => `${subject} ${t?.fromState}>${t?.toState} by ${t?.actor} ${t?.reason}`);
    expect(of(first.id)).toEqual([
      'authorization >pending by agent ',
      'authorization pending>confirmed by human ',
      'authorization confirmed>issued by agent ',
      'authorization issued>revoked by ana lost',
    ]);
    expect(of(first.tokenId)).toEqual(['token >active by agent ', 'token active>revoked by ana lost']);
    resumed.stop();

    const whole = watch('0', { audit: true });
    await vi.waitFor(() => expect(whole.seen.filter(({ id }) => ids.includes(id))).toHaveLength(18), 15_000);
    expect(whole.seen.map(({ cursor }) => Number.parseInt(cursor, 10))).toEqual(whole.seen.map((_, at) => at + 1));
    whole.stop();
  });

  it('shows looks on request, erasures always, and ends at `until`', async () => {
    const email = 'looked@example.org';
    const { id, tokenId } = await grant(email);
    const asked = { ...deskCall, actor: 'sam' };
    await served.admin.listTokens({ email: 'Looked@example.org', pageSize: 0, pageToken: '', reason: 'T-1' }, asked);
    const listed = { email, state: AuthorizationState.UNSPECIFIED, pageSize: 0, pageToken: '' };
    await served.admin.listAuthorizations({ ...listed, reason: 'T-2' }, asked);
    await served.admin.getAuthorizationRecord({ id, reason: 'T-3' }, asked);
    await served.admin.getTokenRecord({ id: tokenId, reason: 'T-6' }, asked);
    await readPieces(served.admin.streamPersonExport({ email, reason: 'T-4' }, asked));
    const of = async (filter: Partial<WatchFilter>) => {
      const { seen, ended } = watch('0', { until: new Date(), ...filter });
      expect(await ended).toBeUndefined();
      return seen.map(({ subject, transition: t }) => `${subject} ${t?.toState} by ${t?.actor}: ${t?.reason}`);
    };
    const looks = [
      ...['person viewed by sam: T-1', 'person listed by sam: T-2', 'authorization viewed by sam: T-3'],
      ...['token viewed by sam: T-6', 'person exported by sam: T-4'],
    ];
    const seen = await of({ person: email, audit: true });
    expect(seen.filter((each) => each.includes('T-'))).toEqual(looks);
    await served.erase(email);
    const erasure = ['requested by first', 'confirmed by second'].map((each) => `person erasure ${each}: `);
    const left = [...looks.map((each) => each.replace(/T-.*/, '')), ...erasure, 'person erased by sam: '];
    await vi.waitFor(async () => expect(await of({ person: email, audit: true })).toEqual(left), 5000);
    expect(await of({ person: email })).toEqual(left.filter((each) => each.includes('eras')));
    expect((await of({ actor: 'sam', audit: true, subject: 'person' })).length).toBe(4);
    const nobody = readPieces(served.admin.streamPersonExport({ email }, { requestId: 'x' }));
    expect(await outcomeOf(nobody)).toBe('validation_error');
  });

  it('shows who blocked and unblocked a mailbox, and why', async () => {
    const email = 'blocked@example.org';
    const asked = { actor: 'sam', requestId: 'unblock' };
    await served.admin.blockRequests({ email, days: 30, reason: 'T-1' }, asked);
    await served.admin.unblockRequests({ email, reason: 'T-2' }, asked);
    await expect(served.admin.unblockRequests({ email }, deskCall)).rejects.toMatchObject({ code: 'not_found' });
    const until = new Date();
    const { seen, ended } = watch('0', { person: email, until });
    expect(await ended).toBeUndefined();
    expect(seen.map(({ subject, transition: t }) => [subject, t?.toState, t?.actor, t?.reason])).toEqual([
      ['person', 'blocked', 'sam', 'T-1'],
      ['person', 'unblocked', 'sam', 'T-2'],
    ]);
  });

  it('refuses an unknown cursor', async () => {
    expect(await watch('yesterday').ended).toMatchObject({ code: 'validation_error' });
  });
});

describe('a person', () => {
  it('is exported without secrets and hashes', async () => {
    const { id, tokenId } = await grant('export@example.org');
    const data = await readPieces(served.admin.streamPersonExport({ email: 'Export@example.org' }, deskCall));
    expect(data).toMatchObject({
      email: 'export@example.org',
      authorizations: [{ id, state: 'issued', purpose: 'To tell of our rollout', token_id: tokenId, mails: [{}, {}] }],
      tokens: [{ id: tokenId, state: 'active', agent_name: 'Atlas' }],
    });
    const stored = await served.db.collection('authorizations').findOne({ email: 'export@example.org' });
    const exported = JSON.stringify(data);
    for (const hash of [...(stored?.deviceHashes ?? []), stored?.grant.tokenHash, stored?.codes[0].hash]) {
      expect(exported).not.toContain(hash);
    }
  });

  it('is erased: tokens and links end at once, no data is left, and the log continues', async () => {
    const email = 'erase@example.org';
    const { id, tokenId, secret, accessKey } = await grant(email);
    await served.revoke(tokenId, `the phone of ${email} was lost`);
    await served.issue(email, { agentName: 'Second' });
    const kept = await grant('kept@example.org');
    expect(await served.erase('Erase@Example.org')).toEqual({ authorizations: 2, tokens: 2 });
    expect((await served.resolve(secret))?.$case).toBe('error');
    await expect(served.access(accessKey)).rejects.toMatchObject({ code: 'not_found' });
    expect(await served.erase(email)).toEqual({ authorizations: 0, tokens: 0 });

    await vi.waitFor(async () => {
      expect(await served.db.collection('authorizations').countDocuments({ _id: id as never })).toBe(0);
      const collections = await served.db.collections();
      const dump = JSON.stringify(await Promise.all(collections.map((each) => each.find().toArray())));
      expect(dump).not.toContain(email);
    }, 5000);
    const log = watch('0');
    const seenOf = (...ids: string[]) => log.seen.filter((each) => ids.includes(each.id));
    await vi.waitFor(() => expect(seenOf(id).at(-1)?.transition?.toState).toBe('erased'));
    expect(seenOf(id, tokenId).map(({ agentName }) => agentName)).not.toContain('Atlas');
    expect(seenOf(kept.tokenId)[0]?.agentName).toBe('Atlas');
    log.stop();
    expect((await served.access(kept.accessKey)).tokens).toHaveLength(1);
  });
});

it('expires tokens in the log and deletes data that ended 30 days ago', async () => {
  const { tokenId } = await grant('old@example.org');
  const live = watch('');
  served.clock.forward(180 * 86_400_000);
  const last = () => live.seen.find(({ id }) => id === tokenId)?.transition;
  await vi.waitFor(() => expect(last()).toMatchObject({ toState: 'expired', actor: 'system' }), 10_000);
  live.stop();
  const token = await served.db.collection('tokens').findOne({ id: tokenId });
  expect(token?.purgeAt.getTime() - token?.expiresAt.getTime()).toBe(30 * 86_400_000);
});
