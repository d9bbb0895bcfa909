import { randomUUID } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField } from '../base/words.js';
import {
  buttonRow,
  checkField,
  csrfField,
  daysOf,
  facts,
  fieldsOf,
  formField,
  formPage,
  linkButton,
  linkLine,
  mainButton,
  noFaults,
  partOf,
  reasonField,
  refusal,
  requiredReasonOf,
  type SentForm,
  strange,
  textField,
  timeOf,
  titled,
} from '../pages/index.js';
import { presentToken, scopeNames, type TokenView, toWireScope } from './access.js';
import type { People } from './web-sealed-person.js';

/** Registers what support changes of the accesses of a person: tokens, requests, and whether agents may ask at all. */
export function registerAccess(app: FastifyInstance, people: People): void {
  people.take(app, 'tokens/:id/end', async (_person, { grants }, request, reason) => {
    const keepWaiting = formField(request.body, 'keep_waiting') === 'yes';
    await grants.revokeTokenById({ tokenId: partOf(request), reason, keepWaiting });
    return 'token-ended';
  });

  people.take(app, 'requests/:id/cancel', async (_person, { grants }, request, reason) => {
    await grants.cancelAuthorization({ id: partOf(request), reason });
    return 'request-cancelled';
  });

  people.take(app, 'block', async ({ email }, { grants }, request) => {
    await grants.blockRequests({ email, days: daysOf(request), reason: requiredReasonOf(request) });
    return 'requests-blocked';
  });

  people.take(app, 'unblock', async ({ email }, { grants }, request) => {
    await grants.unblockRequests({ email, reason: requiredReasonOf(request) });
    return 'requests-allowed';
  });

  // No redirect: only this answer shows the token. A form that is sent again gets the same token for ten minutes.
  formPage<IssueForm, Issued>(app, '/people/of/:sealed/issue', {
    fields: ['agent_name', 'reason'],
    typed: readIssueForm,
    async save(form, request) {
      const { email } = people.personOf(request);
      const { grants } = people.servicesOf(request);
      if (form.reason.trim() === '') throw new KnowledgeError('validation_error', 'reason is required: say why.');
      const wanted = { ...form, email, scopes: form.scopes.map(toWireScope) };
      const { secret, token } = await grants.issueToken(wanted);
      return { form, faults: noFaults, checked: { secret, token: presentToken(requireField(token)) } };
    },
    async show(
      request,
      sent = { form: { ...readIssueForm({ body: {} }), scopes: [...scopeNames] }, faults: noFaults },
    ) {
      const { email, path } = people.personOf(request);
      return sent.checked ? issuedPage(sent.checked, path) : issuePage(sent, email, path);
    },
  });
}

type IssueForm = ReturnType<typeof readIssueForm>;

function readIssueForm({ body }: Pick<FastifyRequest, 'body'>) {
  return {
    /** Made with the form, so that a form that is sent twice makes one token. */
    requestKey: formField(body, 'request_key') || randomUUID(),
    agentName: formField(body, 'agent'),
    scopes: scopeNames.filter((scope) => formField(body, scope) === 'yes'),
    reason: formField(body, 'reason', 5000),
  };
}

/** Asks for what a new token needs, and says what it means; after a refusal with what was typed. */
function issuePage({ form, faults }: SentForm<IssueForm>, email: string, path: string) {
  const { requestKey, scopes, agentName, reason } = form;
  const field = fieldsOf({ agent_name: agentName, reason }, faults);
  return titled(
    'Issue a token',
    <>
      <p>
        The agent acts in the name of {strange(email)} for {rules.tokenDays} days, without asking. The person gets a
        mail that an agent was given access, with the link to end it.
      </p>
      {refusal(faults)}
      <form class="fields" method="post" action={`${path}/issue`}>
        {csrfField({ request_key: requestKey })}
        {textField({
          ...field('agent_name', 'Name of the agent'),
          name: 'agent',
          required: true,
          maxlength: bounds.agentName.max,
        })}
        <fieldset>
          <legend>What it may do, apart from reading</legend>
          {scopeNames.map((scope) => checkField({ name: scope, label: scope, checked: scopes.includes(scope) }))}
        </fieldset>
        {reasonField({ ...field('reason', 'Reason', 'Stored with your name.'), required: true })}
        {buttonRow(mainButton('Issue the token'), linkButton(path, 'Cancel'))}
      </form>
    </>,
  );
}

interface Issued {
  readonly secret: string;
  readonly token: TokenView;
}

/** Shows a new token. No page shows it again. */
function issuedPage({ secret, token }: Issued, path: string) {
  return titled(
    'The token',
    <>
      <p class="notice" role="status">
        Keep the token now; it is not shown again.
      </p>
      {facts({
        Token: <code>{secret}</code>,
        Id: token.id,
        Person: strange(token.email),
        Can: token.scopes.join(', ') || 'read only',
        Ends: timeOf(token.expires_at),
      })}
      {linkLine(path, 'To the person')}
    </>,
    { heading: ['The token of ', strange(token.agent_name)] },
  );
}
