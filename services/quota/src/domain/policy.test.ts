import { expect, it } from 'vitest';
import { createPolicies, windowEnd, windowStart } from './policy.js';
import { createCharge } from './subject.js';

const policies = createPolicies({
  ...{ anonymousPerAddress: 0, authorizePerAddress: 20, authorizePerDomain: 50, authorizePerHour: 1_000 },
});

it('the limits are those of gateway/PROTOCOL.md', () => {
  const all = Object.values(policies);
  expect(all.map(({ name, kind, limit, window }) => `${name}: ${limit} / ${window} / ${kind}`)).toEqual([
    'read_verified_email: 10 / day / email',
    'read_client_id: 3 / day / client_id',
    'read_address: 3 / day / address',
    'read_address_cap: 0 / day / address',
    'contribute_mailbox: 20 / day / email',
    'authorize_mailbox: 5 / hour / email',
    'authorize_mailbox_day: 20 / day / email',
    'authorize_address: 20 / hour / address',
    'authorize_domain: 50 / hour / mail_domain',
    'authorize_service: 1000 / hour / service',
    'link_mailbox: 5 / hour / email',
    'link_mailbox_day: 20 / day / email',
    'link_address: 20 / hour / address',
  ]);
});

it('each policy counts one kind of subject, separately from the others', () => {
  const address = { kind: 'address', value: '192.0.2.1' } as const;
  const charge = createCharge(policies.read_address, address);
  expect(charge.key).not.toBe(createCharge(policies.read_address_cap, address).key);
  const message = 'The policy read_client_id counts subjects of kind client_id.';
  expect(() => createCharge(policies.read_client_id, address)).toThrow(
    expect.objectContaining({ code: 'validation_error', message }),
  );
  expect(charge.policy).toBe(policies.read_address);
});

it('windows are UTC days and hours', () => {
  const time = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
  expect(windowStart('day', time)).toBe(Date.UTC(2026, 10, 21));
  expect(windowStart('day', time + 1)).toBe(Date.UTC(2026, 10, 22));
  expect(windowEnd('day', windowStart('day', time))).toBe(Date.UTC(2026, 10, 22));
  expect(windowStart('hour', time)).toBe(Date.UTC(2026, 10, 21, 23));
  expect(windowEnd('hour', windowStart('hour', time))).toBe(Date.UTC(2026, 10, 22));
});
