import type { Collection } from 'mongodb';

/** Ends the claims that a killed process has on mails, which would take 60 s. */
export async function endMailClaims(owners: Collection): Promise<void> {
  const dueAt = new Date();
  const isPending = { $eq: ['$$mail.state', 'pending'] };
  const due = { $cond: [isPending, { $mergeObjects: ['$$mail', { dueAt }] }, '$$mail'] };
  const mails = { $map: { input: '$mails', as: 'mail', in: due } };
  await owners.updateMany({ mailsDueAt: { $type: 'date' } }, [{ $set: { mailsDueAt: dueAt, mails } }]);
}
