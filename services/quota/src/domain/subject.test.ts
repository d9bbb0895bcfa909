import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubjectKind } from './policy.js';
import { canonicalValue, subjectDigest } from './subject.js';

const kinds = ['email', 'client_id', 'address'] as const;
const same = (kind: SubjectKind, one: string, other: string): boolean =>
  subjectDigest({ kind, value: one }) === subjectDigest({ kind, value: other });
const wrong = (kind: SubjectKind, value: string, message: string) =>
  expect(() => canonicalValue({ kind, value })).toThrow(
    expect.objectContaining({ code: 'validation_error', message: expect.stringContaining(message) }),
  );

describe('a mailbox', () => {
  it('is in lower case and without its plus-tag', () => {
    expect(canonicalValue({ kind: 'email', value: 'Jane.Doe+news+x@Example.ORG' })).toBe('jane.doe@example.org');
    expect(same('email', 'a@b.org', 'a@c.org')).toBe(false);
    expect(same('email', 'a.b@x.org', 'ab@x.org')).toBe(false);
    expect(canonicalValue({ kind: 'email', value: 'a@x+y.org' })).toBe('a@x+y.org');
  });

  it('keeps a local part that begins with a plus', () => {
    expect(canonicalValue({ kind: 'email', value: '+a+b@x.org' })).toBe('+a@x.org');
    expect(canonicalValue({ kind: 'email', value: 'a+b@x.org' })).toBe('a@x.org');
  });

  it.each(['no-at', '@x.org', 'a@', '@'])('cannot be %j', (value) => wrong('email', value, 'e-mail address'));
});

describe('an address', () => {
  it('is the same for an IPv4 address and its form in IPv6', () => {
    expect(same('address', '192.0.2.7', '::ffff:192.0.2.7')).toBe(true);
    expect(same('address', '192.0.2.7', '::FFFF:c000:207')).toBe(true);
    expect(same('address', '192.0.2.7', '192.0.2.8')).toBe(false);
  });

  it('is the /64 of an IPv6 address in any spelling', () => {
    expect(canonicalValue({ kind: 'address', value: '2001:DB8::1' })).toBe('2001:db8:0:0::/64');
    expect(same('address', '2001:db8::1', '2001:0db8:0000:0000:ffff:1:2:3')).toBe(true);
    expect(same('address', '2001:db8::1', '2001:db8:0:1::1')).toBe(false);
    expect(same('address', 'fe80::1%eth0', 'fe80::1')).toBe(true);
  });

  it.each([
    ...['localhost', '1.2.3', '0x7f.0.0.1', '01.2.3.4', '1.2.3.256', '1.2.3.4:80', '[::1]', '::1/64', ' 1.2.3.4'],
    ':::',
  ])('is not %j', (value) => wrong('address', value, 'IPv4 or IPv6'));
});

describe('any subject', () => {
  it('has 1 to 254 characters', () => {
    for (const kind of kinds) expect(() => subjectDigest({ kind, value: '' })).toThrow('1 to 254');
    expect(subjectDigest({ kind: 'client_id', value: '🙂'.repeat(254) })).toMatch(/^[\w-]{43}$/);
    expect(() => subjectDigest({ kind: 'client_id', value: 'x'.repeat(255) })).toThrow('1 to 254');
    expect(() => subjectDigest({ kind: 'client_id', value: '🙂'.repeat(255) })).toThrow('1 to 254');
  });

  it('never has the digest of another kind', () => {
    const all = [
      ...['127.0.0.1', 'i:127.0.0.1', 'a@b.org', 'e:a@b.org', 'c:x'].map((value) => ['client_id', value] as const),
      ...(['a@b.org', 'e:a@b.org'] as const).map((value) => ['email', value] as const),
      ['address', '127.0.0.1'] as const,
    ];
    expect(new Set(all.map(([kind, value]) => subjectDigest({ kind, value }))).size).toBe(all.length);
  });

  // Stored keys contain the digest. With another digest every subject would get a new allowance.
  it('keeps its digest for ever', () => {
    const digests = kinds.map((kind) => subjectDigest({ kind, value: kind === 'email' ? 'a@b.org' : '192.0.2.7' }));
    expect(digests).toEqual([
      'LiduecCxUadftkAZJ6UKnonqlRSg2fVAiNxUFB1RYeE',
      'L8pALEoGmgYbT0pJtwAHP5gTeNL0QUqgE5GqW0hnaQ0',
      'FTaR_qb6iZeh0fCipuHqGvjJSfrXfFe0_CTFkTtrcfs',
    ]);
  });

  it('is a client id exactly as sent', () => {
    const id = fc.string({ minLength: 1, maxLength: 120 });
    fc.assert(fc.property(id, id, (one, other) => same('client_id', one, other) === (one === other)));
  });
});
