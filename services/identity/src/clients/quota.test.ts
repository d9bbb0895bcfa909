import { Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { expect, it } from 'vitest';
import { chargesOf } from './quota.js';

it('charges a mail to the client address first, then to the hour and the day of the mailbox', () => {
  const unit = { id: 'x', kind: 'authorization' as const, email: 'jane@example.org', address: '192.0.2.1' };
  expect(chargesOf(unit).map(({ policy }) => policy)).toEqual([
    Policy.AUTHORIZE_ADDRESS,
    Policy.AUTHORIZE_MAILBOX,
    Policy.AUTHORIZE_MAILBOX_DAY,
  ]);
  expect(chargesOf({ ...unit, address: '' })).toHaveLength(2);
  expect(chargesOf({ ...unit, kind: 'link' }).map(({ policy }) => policy)).toEqual([
    Policy.LINK_ADDRESS,
    Policy.LINK_MAILBOX,
    Policy.LINK_MAILBOX_DAY,
  ]);
});
