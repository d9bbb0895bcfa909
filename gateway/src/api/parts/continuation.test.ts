import { Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Subject } from '../subject.js';
import { createContinuations, endOfContinuation, type OpenRead } from './continuation.js';

const reader = (value: string, kind = SubjectKind.CLIENT_ID): Subject => ({
  kind: kind === SubjectKind.CLIENT_ID ? 'client_id' : 'verified_email',
  charges: [{ policy: Policy.READ_CLIENT_ID, subject: { kind, value } }],
});
const address = (value: string): Subject => ({ ...reader(value, SubjectKind.ADDRESS), kind: 'address' });
const ada = reader('ada/1.0');
const begun = Date.UTC(2026, 5, 1);
const read: OpenRead = {
  ...{ site: 'org', slug: 'rolling-out-sso', textId: '3-abc', left: { start: 10, end: 90 }, maxTokens: 500 },
  ...{ section: undefined, expiresAt: endOfContinuation(begun) },
};
const key = 'a key of thirty-two characters or more';
const continuations = createContinuations(key, () => begun);
const sent = continuations.sign(read, ada);
const ofNetwork = continuations.sign(read, address('2001:db8::1'));

it('gives its reader what was signed, through every gateway with the key', () => {
  const other = createContinuations(key, () => begun);
  expect(other.open(sent, read, ada)).toEqual(read);
  expect(other.open(`https://k.example/api/v1/content/a?site=org&continuation=${sent}&x=1`, read, ada)).toEqual(read);
});

it.each([
  ['mailbox', reader('ada@example.org', SubjectKind.EMAIL), reader('Ada+news@example.org', SubjectKind.EMAIL)],
  ['IPv6 network', address('2001:db8::1'), address('2001:db8::ffff:2')],
])('goes on for another spelling of the same %s', (_, one, other) => {
  expect(continuations.open(continuations.sign(read, one), read, other)).toEqual(read);
});

it('shows neither a client id nor an e-mail', () => {
  const mail = continuations.sign(read, reader('ada@example.org', SubjectKind.EMAIL));
  const [content = ''] = mail.split('.');
  expect(Buffer.from(content, 'base64url').toString()).not.toContain('ada');
});

const open = ({ from = continuations, token = sent, of = read, by = ada }) => from.open(token, of, by);

it.each([
  ['another reader', { by: reader('bob/1.0') }, 'another reader'],
  ['a reader of another kind with the same name', { by: reader('ada/1.0', SubjectKind.EMAIL) }, 'another reader'],
  ['another IPv6 network', { token: ofNetwork, by: address('2001:db8:0:1::1') }, 'another reader'],
  ['another article', { of: { ...read, slug: 'other' } }, 'belongs to the article'],
  ['the other site', { of: { ...read, site: 'io' as const } }, 'belongs to the article'],
  [
    'a gateway with another key',
    { from: createContinuations('another key of 32 characters or more', () => begun) },
    'is not as it was sent',
  ],
  ['all after 24 hours', { from: createContinuations(key, () => begun + 24 * 3_600_000) }, 'has ended 24 hours after'],
])('is refused for %s', (_, given, message) => {
  expect(() => open(given)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  expect(() => open(given)).toThrow(message);
});

it('is good until its last millisecond', () => {
  const late = createContinuations(key, () => begun + 24 * 3_600_000 - 1);
  expect(late.open(sent, read, ada)).toEqual(read);
});

it('is refused with any character changed, lost or added', () => {
  const property = (at: number, put: string) => {
    const changed = sent.slice(0, at) + put + sent.slice(at + 1);
    fc.pre(changed !== sent && !/[&=]/.test(put));
    expect(() => continuations.open(changed, read, ada)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  };
  fc.assert(fc.property(fc.nat(sent.length), fc.string({ maxLength: 2 }), property));
});

it('is refused for any other text', () => {
  const property = (text: string) => {
    expect(() => continuations.open(text, read, ada)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  };
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('.', 'a.', '.a', '..')), property));
});
