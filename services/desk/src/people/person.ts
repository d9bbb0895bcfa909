import { ContributionFilter, ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Erasure, ErasureServiceService, ErasureState } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type Definition, deadlineIn } from '@knowledge/runtime/client';
import { titleOf } from '../base/contribution-words.js';
import { distinct } from '../base/ids.js';
import { presented } from '../base/presented.js';
import { type Connected, type ServiceName, withContext } from '../base/services.js';
import { connectTimeoutMs } from '../base/session.js';
import type { MailView } from '../base/transition.js';
import { enumWords, requireField, sites } from '../base/words.js';
import { type ContributionView, presentContribution } from '../contributions/contribution.js';
import { quotaOf } from '../limits/limits.js';
import { type AuthorizationView, presentAuthorization, presentBlock, presentToken } from './access.js';

/** The services that know something about a person, for the command line and the web desk. */
export type PersonServices = ReturnType<typeof personServices>;

// A person may have a lot of data, so these calls have more time than others.
const limits = { deadlineMs: 30_000 };

export function personServices({ connect, callContext }: Connected) {
  const callsOf = <D extends Definition>(service: ServiceName, definition: D) =>
    withContext(connect(service, definition, limits), callContext);
  return {
    grants: callsOf('identity', GrantAdminServiceService),
    erasures: callsOf('identity', ErasureServiceService),
    moderation: callsOf('contributions', ModerationServiceService),
    quota: callsOf('quota', QuotaAdminServiceService),
  };
}

/** The number of newest items of each kind that are shown. The `list` commands show older ones. */
const maxShown = 50;

/** The same if the mails of one day are asked for, which may be older. */
const maxOfDay = 200;

/** The number of client ids, and of addresses, whose allowances are shown. */
const maxRequesters = 5;

/** What is looked up by the exact address, and what by its mailbox. */
export const lookedUp =
  'Contributions, tokens, requests and mails are those of exactly this address. Limits and a block are those of its mailbox, with every +tag. Look up another spelling by itself.';

export type PersonView = Awaited<ReturnType<typeof readPerson>>;

/**
 * Gathers what support needs to know about a person. Each service stores who looked, and why. With a day it reads further back,
 * for the mails of that day.
 */
export async function readPerson(services: PersonServices, address: string, reason: string, day = '') {
  const { grants, erasures, moderation, quota: quotas } = services;
  const email = address.toLowerCase();
  const page = { pageSize: day === '' ? maxShown : maxOfDay, pageToken: '' };
  const filter = ContributionFilter.fromPartial({ email });
  const [issued, { authorizations: requests, block, linkMails, nextPageToken }, works, asked, quota] =
    await Promise.all([
      grants.listTokens({ email, reason, ...page }),
      grants.listAuthorizations({ email, reason, state: AuthorizationState.UNSPECIFIED, ...page }),
      moderation.listContributionRecords({ filter, ...page }),
      erasures.listErasures({ email, all: false, ...page }),
      quotaOf(quotas, 'showSubject', `email:${email}`, reason),
    ]);
  const authorizations = requests.map(presentAuthorization);
  const contributions = works.contributions.map(presentContribution);
  return {
    id: email,
    tokens: issued.tokens.map(presentToken),
    /** How many of each kind were read, if there are older ones; null if these are all. */
    only_newest: issued.nextPageToken + nextPageToken + works.nextPageToken === '' ? null : page.pageSize,
    authorizations,
    block: block === undefined ? null : presentBlock(block),
    contributions: contributions.map(factsOf),
    mails: mailsOf(authorizations, contributions, linkMails.map(presented)),
    quota,
    agents: await Promise.all(requestersOf(authorizations).map((name) => quotaOf(quotas, 'showSubject', name, reason))),
    erasures: asked.erasures.map(presentErasure),
  };
}

// Support sees what became of a contribution, and its first words. Its text is for moderators.
function factsOf(view: ContributionView) {
  const { id, type, purpose, site, state, title, submitted_at, reviewed_at, reason } = view;
  const first_words = titleOf(view) || null;
  return { id, type, purpose, site, state, title, first_words, submitted_at, reviewed_at, reason };
}

/** The mails to the person: about the shown requests and contributions, and with links. Those on their way come first. */
function mailsOf(
  authorizations: readonly AuthorizationView[],
  contributions: readonly ContributionView[],
  linkMails: readonly MailView[],
) {
  const causes = [
    ...authorizations.map(({ id, mails, agent_name }) => ({ id, mails, cause: 'request', about: agent_name })),
    ...contributions.map(({ id, mails, type, title }) => ({ id, mails, cause: type, about: title ?? '' })),
    { id: '', mails: linkMails, cause: 'own page', about: '' },
  ];
  return causes
    .flatMap(({ mails, ...cause }) => mails.map((mail) => ({ ...mail, ...cause })))
    .sort((a, b) => Number(order(b) > order(a)) - Number(order(b) < order(a)));
}

function order({ sent_at }: { readonly sent_at: string | null }) {
  return sent_at ?? '~';
}

/** The client ids and addresses from which agents asked this person, as `knowledge quota` names them. */
function requestersOf(authorizations: readonly AuthorizationView[]) {
  const ids = distinct(authorizations.flatMap(({ client_id }) => client_id ?? []));
  const addresses = distinct(authorizations.flatMap(({ client_address }) => client_address ?? []));
  return [
    ...ids.slice(0, maxRequesters).map((id) => `client:${id}`),
    ...addresses.slice(0, maxRequesters).map((ip) => `address:${ip}`),
  ];
}

/** Mails a human the link to the access page, within the same limits as when the human asks for it. */
export async function sendAccessLink(
  { grants, moderation }: PersonServices,
  { email, site, reason }: { readonly email: string; readonly site: string; readonly reason: string },
): Promise<void> {
  const filter = ContributionFilter.fromPartial({ email });
  // Who has contributions has an access page, even after identity has deleted everything else.
  const { contributions } = await moderation.listContributionRecords({ filter, pageSize: 1, pageToken: '' });
  const hasContributions = contributions.length > 0;
  await grants.sendAccessLink({ email, site: sites.toWire(site), reason, hasContributions });
}

/** Asks for the erasure of a person. Nothing is erased before another staff member confirms. */
export async function askForErasure(
  { erasures }: PersonServices,
  request: { readonly email: string; readonly withWork: boolean; readonly reason: string },
): Promise<ErasureView> {
  return presentErasure(requireField((await erasures.requestErasure(request)).erasure));
}

/** The erasures that wait for a second person, or are not finished. */
export async function openErasures({ erasures }: PersonServices): Promise<ErasureView[]> {
  const page = await erasures.listErasures({ all: false, email: '', pageSize: 200, pageToken: '' });
  return page.erasures.map(presentErasure);
}

/** Confirms an erasure and does it in both services. Safe to repeat, so a half erasure is completed by a repetition. */
export async function confirmErasure({ erasures, grants, moderation }: PersonServices, id: string) {
  // Both services must respond before the erasure begins.
  await Promise.all([grants, moderation].map((client) => client.ready(deadlineIn(connectTimeoutMs))));
  const { erasure } = await erasures.confirmErasure({ id });
  const { email, asked_by } = presentErasure(requireField(erasure));
  const ids = { erasureId: id, email: '' };
  // The tokens end first, so that no new contribution arrives during the erasure.
  const { authorizations, tokens } = await grants.erasePerson(ids);
  const { deleted, anonymized } = await moderation.eraseContributor(ids);
  return { id, state: 'erased', email, asked_by, tokens, authorizations, contributions: deleted, anonymized };
}

export async function cancelErasure({ erasures }: PersonServices, id: string, reason: string) {
  return presentErasure(requireField((await erasures.cancelErasure({ id, reason })).erasure));
}

const states = enumWords(ErasureState);

export type ErasureView = ReturnType<typeof presentErasure>;

export function presentErasure({ person: _, ...erasure }: Erasure) {
  return {
    ...presented(erasure),
    state: states.fromWire(erasure.state),
    email: erasure.email || null,
    reason: erasure.reason || null,
    decided_by: erasure.decidedBy || null,
  };
}
