import { expect, it } from 'vitest';
import { accessEndedError, foldEmail, isOf, unknownContribution } from './contribution.js';

type Owned = Parameters<typeof isOf>[0];

const owned = { email: 'jo@example.org', authorizationId: 'a1' } as Owned;

it('belongs to its person and to the authorization that sent it', () => {
  const { email } = owned;
  expect(isOf(owned, { email, authorizationId: undefined })).toBe(true);
  expect(isOf(owned, { email, authorizationId: 'a1' })).toBe(true);
  expect(isOf(owned, { email, authorizationId: 'a2' })).toBe(false);
  expect(isOf(owned, { email: 'ann@example.org', authorizationId: undefined })).toBe(false);
  expect(isOf(owned, { email: 'ann@example.org', authorizationId: 'a1' })).toBe(false);
});

it('has errors for an unknown contribution and for an ended access', () => {
  const unknown = 'There is no contribution with this id.';
  expect(unknownContribution()).toMatchObject({ code: 'not_found', message: unknown });
  const ended = 'This access has ended; ask for a new one only if your human wants it.';
  expect(accessEndedError()).toMatchObject({ code: 'invalid_token', message: ended });
});

it('stores the e-mail in lower case with its plus-tag', () => {
  expect(foldEmail('Jo+A@Example.ORG')).toBe('jo+a@example.org');
});
