import { randomUUID } from 'node:crypto';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import { bounds, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField } from '../../present/require-field.js';
import { presentToken, scopeNames, type TokenView, toWireScope } from '../../present/token.js';
import { buttonRow, checkField, csrfField, linkButton, textField } from '../parts/fields.js';
import { type FormFaults, fieldsOf, formField, noFaults, readFaults } from '../parts/form-values.js';
import { type Shown, sendPage } from '../parts/page.js';
import { isRefused, refusal } from '../parts/text-form.js';
import { strange, timeOf } from '../parts/values.js';
import { csrfTokenOf } from '../requests.js';
import {
  daysOf,
  type OfThing,
  reasonOf,
  requiredReasonOf,
  type Sealed,
  type SealedPaths,
  type ServicesOf,
} from './sealed-person.js';
import { factList, reasonField } from './sections.js';

/** Registers what support changes of the accesses of a person: tokens, requests, and whether agents may ask at all. */
export function registerAccess(app: FastifyInstance, servicesOf: ServicesOf, paths: SealedPaths): void {
  app.post<OfThing>('/people/of/:sealed/tokens/:id/end', async (request, reply) => {
    const { after } = paths.personOf(request);
    const keepWaiting = formField(request.body, 'keep_waiting') === 'yes';
    const { grants, call } = servicesOf(request);
    await grants.revokeTokenById({ tokenId: request.params.id, reason: reasonOf(request), keepWaiting }, call());
    return reply.redirect(after('token-ended'), 303);
  });

  app.post<OfThing>('/people/of/:sealed/requests/:id/cancel', async (request, reply) => {
    const { after } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    await grants.cancelAuthorization({ id: request.params.id, reason: reasonOf(request) }, call());
    return reply.redirect(after('request-cancelled'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/block', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const days = daysOf(request);
    const { grants, call } = servicesOf(request);
    await grants.blockRequests({ email, days, reason: requiredReasonOf(request) }, call());
    return reply.redirect(after('requests-blocked'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/unblock', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    await grants.unblockRequests({ email, reason: requiredReasonOf(request) }, call());
    return reply.redirect(after('requests-allowed'), 303);
  });

  app.get<Sealed>('/people/of/:sealed/issue', async (request, reply) => {
    const place = { ...paths.personOf(request), csrf: csrfTokenOf(reply) };
    const empty = { requestKey: randomUUID(), agentName: '', scopes: scopeNames, reason: '' };
    return sendPage(reply, issuePage(empty, place, noFaults));
  });

  // No redirect: only this answer shows the token. A form that is sent again gets the same token for ten minutes.
  app.post<Sealed>('/people/of/:sealed/issue', async (request, reply) => {
    const { email, path } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    const form = readIssueForm(request);
    try {
      if (form.reason.trim() === '') throw new KnowledgeError('validation_error', 'reason is required: say why.');
      const wanted = { ...form, email, scopes: form.scopes.map(toWireScope) };
      const { secret, token } = await grants.issueToken(wanted, call());
      return sendPage(reply, issuedPage(secret, presentToken(requireField(token)), path));
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      const faults = readFaults(error as KnowledgeError, issueFields);
      return sendPage(reply, issuePage(form, { email, path, csrf: csrfTokenOf(reply) }, faults));
    }
  });
}

function readIssueForm({ body }: FastifyRequest): IssueForm {
  return {
    requestKey: formField(body, 'request_key') || randomUUID(),
    agentName: formField(body, 'agent'),
    scopes: scopeNames.filter((scope) => formField(body, scope) === 'yes'),
    reason: formField(body, 'reason', 5000),
  };
}

/** What the form for a new token sends. */
interface IssueForm {
  /** Made with the form, so that a form that is sent twice makes one token. */
  readonly requestKey: string;
  readonly agentName: string;
  readonly scopes: readonly string[];
  readonly reason: string;
}

/** The fields with a place for a fault, as the service names them. */
const issueFields = ['agent_name', 'reason'] as const;

type IssueField = (typeof issueFields)[number];

interface Place {
  readonly path: string;
  readonly email: string;
  readonly csrf: string;
}

/** Asks for what a new token needs, and says what it means; after a refusal with what was typed. */
function issuePage(form: IssueForm, { path, email, csrf }: Place, faults: FormFaults<IssueField>): Shown {
  const { scopes, agentName, reason } = form;
  const field = fieldsOf({ agent_name: agentName, reason }, faults);
  const agent = { ...field('agent_name', 'Name of the agent'), name: 'agent' };
  const main = (
    <>
      <h1>Issue a token</h1>
      <p>
        The agent acts in the name of {strange(email)} for {rules.tokenDays} days, without asking. The person gets a
        mail that an agent was given access, with the link to end it.
      </p>
      {refusal(faults)}
      <form class="fields" method="post" action={`${path}/issue`}>
        {csrfField(csrf)}
        <input type="hidden" name="request_key" value={form.requestKey} />
        {textField({ ...agent, required: true, maxlength: bounds.agentName.max })}
        <fieldset>
          <legend>What it may do, apart from reading</legend>
          {scopeNames.map((scope) => checkField({ name: scope, label: scope, checked: scopes.includes(scope) }))}
        </fieldset>
        {reasonField('reason', reason, faults.of.reason)}
        {buttonRow(<button class="main">Issue the token</button>, linkButton(path, 'Cancel'))}
      </form>
    </>
  );
  return { title: 'Issue a token', main, status: isRefused(faults) ? 422 : 200 };
}

/** Shows a new token. No page shows it again. */
function issuedPage(secret: string, token: TokenView, path: string): Shown {
  const main = (
    <>
      <h1>The token of {strange(token.agent_name)}</h1>
      <p class="notice" role="status">
        Keep the token now; it is not shown again.
      </p>
      {factList([
        ['Token', <code>{secret}</code>],
        ['Id', token.id],
        ['Person', strange(token.email)],
        ['Can', token.scopes.join(', ') || 'read only'],
        ['Ends', timeOf(token.expires_at)],
      ])}
      <p>
        <a href={path}>To the person</a>
      </p>
    </>
  );
  return { title: 'The token', main };
}
