import { type Contribution, EditDecision } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { fromWireContributionState } from '../../present/contribution.js';
import { callContextOf, callOptions } from '../../upstream/call-context.js';
import { accessKeyOf, backToPage } from './access-key.js';
import { sendConsentPage } from './consent-layout.js';
import { savedWords } from './done-note.js';
import type { EditAction, SentAction } from './sent-actions.js';
import { sentStatePage, sentUnknownPage } from './sent-pages.js';

type ConsentGateway = Pick<Gateway, 'clients' | 'sites'>;

/** The forms of the access page that stop contributions and choose mails. */
export function registerAccessForms(app: FastifyInstance, gateway: ConsentGateway): void {
  registerStopping(app, gateway);
  registerMailChoice(app, gateway);
}

function registerStopping(app: FastifyInstance, { clients, sites }: ConsentGateway): void {
  app.post<{ Body: { id?: unknown; do?: unknown; revision?: unknown } | undefined }>(
    '/access/work',
    async (request, reply) => {
      const call = callOptions(callContextOf(request));
      const key = accessKeyOf(request);
      const { id, do: action, revision } = request.body ?? {};
      if (typeof id !== 'string' || id.length > 64 || !isSentAction(action)) {
        throw new KnowledgeError('validation_error', 'This form does not say what to do. Please open your page again.');
      }
      const { email } = await clients.identity.getAccess({ accessKey: key }, call);
      const outcome = await act(clients, { email, id, action, revision: revisionIn(revision) }, call);
      if (outcome === 'unknown') return sendConsentPage(reply, 404, sentUnknownPage(key), sites);
      if (outcome !== 'done') return sendConsentPage(reply, 409, sentStatePage(outcome, key), sites);
      return backToPage(reply, action in savedWords ? { key, saved: action } : { key, changed: id });
    },
  );
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

function revisionIn(value: unknown): number {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : 0;
}

function isSentAction(action: unknown): action is SentAction {
  return typeof action === 'string' && Object.hasOwn(results, action);
}

function registerMailChoice(app: FastifyInstance, { clients }: ConsentGateway): void {
  app.post<{ Body: { receipts?: unknown } | undefined }>('/access/mails', async (request, reply: FastifyReply) => {
    const call = callOptions(callContextOf(request));
    const key = accessKeyOf(request);
    const receipts = request.body?.receipts;
    if (receipts !== 'each' && receipts !== 'first') {
      throw new KnowledgeError('validation_error', 'Please choose which mails you want.');
    }
    const { email } = await clients.identity.getAccess({ accessKey: key }, call);
    await clients.contributions.setMailChoice({ email, eachReceipt: receipts === 'each' }, call);
    return backToPage(reply, { key, saved: 'mails' });
  });
}
