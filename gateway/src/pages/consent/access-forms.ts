import {
  type Contribution,
  ContributionState,
  EditDecision,
  type GetContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode, refuse } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { fromWireContributionState } from '../../present/contribution.js';
import { callOf } from '../../upstream/calls.js';
import type { Clients } from '../../upstream/clients.js';
import { sendConsentPage } from './consent-layout.js';
import { accessKeyOf, backToPage, type FormRoute } from './own-forms.js';
import { type EditAction, type SentAction, sentStatePage, sentUnknownPage } from './sent-actions.js';
import { savedWords } from './sent-words.js';

type ConsentGateway = Pick<Gateway, 'clients' | 'sites'>;

/** The forms of the access page that stop contributions and choose mails. */
export function registerAccessForms(app: FastifyInstance, gateway: ConsentGateway): void {
  registerStopping(app, gateway);
  registerMailChoice(app, gateway);
}

function registerStopping(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  app.post<FormRoute>('/access/work', async (request, reply) => {
    const call = callOf(request);
    const key = accessKeyOf(request);
    const { id, do: action, revision } = request.body ?? {};
    if (typeof id !== 'string' || id.length > 64 || !isSentAction(action)) {
      refuse('This form does not say what to do. Please open your page again');
    }
    const { email } = await clients.identity.getAccess({ accessKey: key }, call);
    const outcome = await act(clients, { email, id, action, revision: revisionIn(revision) }, call);
    if (outcome === 'unknown') return sendConsentPage(reply, 404, sentUnknownPage(key), sites);
    if (outcome !== 'done') return sendConsentPage(reply, 409, sentStatePage(outcome, key), sites);
    return backToPage(reply, action in savedWords ? { key, saved: action } : { key, changed: id });
  });
}

interface Act {
  readonly email: string;
  readonly id: string;
  readonly action: SentAction;
  /** The revision of the edit that the human saw; 0 for none. */
  readonly revision: number;
}

/** Does what a form asks; ending a text twice succeeds too. If it is too late, returns the contribution as it is now. */
async function act(
  { contributions }: ConsentGateway['clients'],
  { email, id, action, revision }: Act,
  call: CallOptions,
): Promise<'done' | 'unknown' | Contribution> {
  const one = { email, id, authorizationId: '' };
  try {
    if (action === 'take_down') await contributions.takeDownContribution(one, call);
    else if (action === 'erase') await contributions.eraseContribution(one, call);
    else if (action === 'withdraw') await contributions.withdrawContribution({ ...one, ifRevisions: [] }, call);
    else await contributions.decideEdit({ email, id, revision, decision: decisions[action] }, call);
    return 'done';
  } catch (error) {
    if (hasCode(error, 'not_found')) return 'unknown';
    if (!hasCode(error, 'invalid_state')) throw error;
    const { contribution } = await contributions.getContribution(one, call);
    if (contribution === undefined) throw error;
    return fromWireContributionState(contribution.state) === results[action] ? 'done' : contribution;
  }
}

const decisions: Readonly<Record<EditAction, EditDecision>> = {
  accept_edit: EditDecision.ACCEPT,
  decline_edit: EditDecision.DECLINE,
  undo_edit: EditDecision.UNDO,
};

/** The state after each action that ends a text; nothing is left of what is erased. */
const results: Readonly<Record<SentAction, string>> = {
  withdraw: 'withdrawn',
  take_down: 'retracted',
  erase: '',
  accept_edit: '',
  decline_edit: '',
  undo_edit: '',
};

function revisionIn(value: unknown) {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0;
}

function isSentAction(action: unknown): action is SentAction {
  return typeof action === 'string' && Object.hasOwn(results, action);
}

function registerMailChoice(app: FastifyInstance, { clients }: ConsentGateway) {
  app.post<FormRoute>('/access/mails', async (request, reply) => {
    const call = callOf(request);
    const key = accessKeyOf(request);
    const receipts = request.body?.receipts;
    if (receipts !== 'each' && receipts !== 'first') {
      refuse('Please choose which mails you want');
    }
    const { email } = await clients.identity.getAccess({ accessKey: key }, call);
    await clients.contributions.setMailChoice({ email, eachReceipt: receipts === 'each' }, call);
    return backToPage(reply, { key, saved: 'mails' });
  });
}

/** Selects the contributions that a page shows. */
interface SentQuery {
  readonly email: string;
  /** The page token of older contributions; empty for the newest. */
  readonly older: string;
  /** The id of a contribution that is shown in any case; empty for none. */
  readonly shown: string;
}

/**
 * Reads what agents sent in a human's name, and which mails the human wants.
 * What fails is undefined, so that the page still shows the agents.
 */
export async function readSent(
  { contributions }: Pick<Clients, 'contributions'>,
  { email, older, shown }: SentQuery,
  call: CallOptions,
) {
  const list = { email, state: ContributionState.UNSPECIFIED, pageSize, pageToken: older, authorizationId: '' };
  const one = { email, id: shown, authorizationId: '' };
  // Lists lack the text before an edit, which the page shows as what moderators edited.
  const whole = async (each: Contribution) => {
    if (!each.textChanges.some(({ by }) => by === 'moderator')) return each;
    const read = contributions.getContribution({ email, id: each.id, authorizationId: '' }, call);
    return (await read.catch(() => undefined))?.contribution ?? each;
  };
  const [sent, choice, found] = await Promise.all([
    contributions.listContributions(list, call).catch(() => undefined),
    contributions.getMailChoice({ email }, call).catch(() => undefined),
    shown === '' ? undefined : contributions.getContribution(one, call).catch(() => undefined),
  ]);
  if (sent !== undefined) sent.contributions = await Promise.all(shownFirst(sent.contributions, found).map(whole));
  return { sent, eachReceipt: choice?.eachReceipt, found: found?.contribution };
}

/** Adds the contribution of a mailed link where the list does not have it. */
function shownFirst(list: readonly Contribution[], found: GetContributionResponse | undefined) {
  const one = found?.contribution;
  return one === undefined || list.some(({ id }) => id === one.id) ? list : [one, ...list];
}

// Small, since each text can have 8,000 characters to render.
const pageSize = 10;
