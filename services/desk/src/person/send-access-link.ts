import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { sites } from '../words.js';
import type { PersonServices } from './person-services.js';

/** Mails a human the link to the access page, within the same limits as when the human asks for it. */
export async function sendAccessLink(
  { grants, moderation, call }: PersonServices,
  { email, site, reason }: { readonly email: string; readonly site: string; readonly reason: string },
): Promise<void> {
  const filter = ContributionFilter.fromPartial({ email });
  // Who has contributions has an access page, even after identity has deleted everything else.
  const { contributions } = await moderation.listContributionRecords({ filter, pageSize: 1, pageToken: '' }, call());
  const hasContributions = contributions.length > 0;
  await grants.sendAccessLink({ email, site: sites.toWire(site), reason, hasContributions }, call());
}
