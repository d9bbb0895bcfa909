import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { fromWireContributionState } from '../../present/contribution.js';
import { callContextOf, callOptions } from '../../upstream/call-context.js';
import { accessKeyOf, backToPage } from './access-key.js';
import { sendConsentPage } from './consent-layout.js';
import type { SentAction } from './sent-actions.js';
import { sentStatePage, sentUnknownPage } from './sent-pages.js';

type ConsentGateway = Pick<Gateway, 'clients' | 'sites'>;

/** The forms of the access page that stop contributions and choose mails. */
export function registerAccessForms(app: FastifyInstance, gateway: ConsentGateway): void {
  registerStopping(app, gateway);
  registerMailChoice(app, gateway);
}

function registerStopping(app: FastifyInstance, { clients, sites }: ConsentGateway): void {
  app.post<{ Body: { id?: unknown; do?: unknown } | undefined }>('/access/work', async (request, reply) => {
    const call = callOptions(callContextOf(request));
    const key = accessKeyOf(request);
    const { id, do: action } = request.body ?? {};
    if (typeof id !== 'string' || id.length > 64 || !isSentAction(action)) {
      throw new KnowledgeError('validation_error', 'This form does not say what to do. Please open your page again.');
    }
    const { email } = await clients.identity.getAccess({ accessKey: key }, call);
    const outcome = await stop(clients, { email, id, action }, call);
    if (outcome === 'unknown') return sendConsentPage(reply, 404, sentUnknownPage(key), sites);
    if (outcome !== 'done') return sendConsentPage(reply, 409, sentStatePage(outcome, key), sites);
    return backToPage(reply, action === 'erase' ? { key, saved: 'erased' } : { key, changed: id });
  });
}

interface Stop {
  readonly email: string;
  readonly id: string;
  readonly action: SentAction;
}

/** Stops a contribution; doing the same again succeeds too. If it is too late, returns the contribution as it is now. */
async function stop(
  { contributions }: ConsentGateway['clients'],
  { email, id, action }: Stop,
  call: CallOptions,
): Promise<'done' | 'unknown' | Contribution> {
  try {
    if (action === 'take_down') await contributions.takeDownContribution({ email, id }, call);
    else if (action === 'erase') await contributions.eraseContribution({ email, id }, call);
    else await contributions.withdrawContribution({ email, id, authorizationId: '' }, call);
    return 'done';
  } catch (error) {
    if (hasCode(error, 'not_found')) return 'unknown';
    if (!hasCode(error, 'invalid_state')) throw error;
    const { contribution } = await contributions.getContribution({ email, id, authorizationId: '' }, call);
    if (contribution === undefined) throw error;
    return fromWireContributionState(contribution.state) === results[action] ? 'done' : contribution;
  }
}

/** The state after each action; nothing is left of what is erased. */
const results: Readonly<Record<SentAction, string>> = { withdraw: 'withdrawn', take_down: 'retracted', erase: '' };

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
