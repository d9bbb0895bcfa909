import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { distinct } from '../ids.js';
import { type AuthorizationView, presentAuthorization, presentBlock } from '../present/authorization.js';
import { type ContributionView, presentContribution } from '../present/contribution.js';
import { presentErasure } from '../present/erasure.js';
import { titleOf } from '../present/first-words.js';
import { presentToken } from '../present/token.js';
import { presentMail } from '../present/transition.js';
import type { PersonServices } from './person-services.js';
import { readQuota } from './read-quota.js';

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
  const { grants, erasures, moderation, call } = services;
  const email = address.toLowerCase();
  const page = { pageSize: day === '' ? maxShown : maxOfDay, pageToken: '' };
  const filter = ContributionFilter.fromPartial({ email });
  const [{ tokens }, { authorizations: requests, block, linkMails }, { contributions: works }, asked, quota] =
    await Promise.all([
      grants.listTokens({ email, reason, ...page }, call()),
      grants.listAuthorizations({ email, reason, state: AuthorizationState.UNSPECIFIED, ...page }, call()),
      moderation.listContributionRecords({ filter, ...page }, call()),
      erasures.listErasures({ email, all: false, ...page }, call()),
      readQuota(services, `email:${email}`, reason),
    ]);
  const authorizations = requests.map(presentAuthorization);
  const contributions = works.map(presentContribution);
  return {
    id: email,
    tokens: tokens.map((token) => presentToken(token)),
    authorizations,
    block: block === undefined ? null : presentBlock(block),
    contributions: contributions.map(factsOf),
    mails: mailsOf(authorizations, contributions, linkMails.map(presentMail)),
    quota,
    agents: await Promise.all(requestersOf(authorizations).map((name) => readQuota(services, name, reason))),
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
  linkMails: readonly ReturnType<typeof presentMail>[],
) {
  const causes = [
    ...authorizations.map(({ id, mails, agent_name }) => ({ id, mails, cause: 'request', about: agent_name })),
    ...contributions.map(({ id, mails, type, title }) => ({ id, mails, cause: type, about: title ?? '' })),
    { id: '', mails: linkMails, cause: 'own page', about: '' },
  ];
  return causes
    .flatMap(({ mails, ...cause }) => mails.map((mail) => ({ ...mail, ...cause })))
    .sort((a, b) => order(b).localeCompare(order(a)));
}

function order({ sent_at }: { readonly sent_at: string | null }): string {
  return sent_at ?? '~';
}

/** The client ids and addresses from which agents asked this person, as `knowledge quota` names them. */
function requestersOf(authorizations: readonly AuthorizationView[]): string[] {
  const ids = distinct(authorizations.flatMap(({ client_id }) => client_id ?? []));
  const addresses = distinct(authorizations.flatMap(({ client_address }) => client_address ?? []));
  return [
    ...ids.slice(0, maxRequesters).map((id) => `client:${id}`),
    ...addresses.slice(0, maxRequesters).map((ip) => `address:${ip}`),
  ];
}
