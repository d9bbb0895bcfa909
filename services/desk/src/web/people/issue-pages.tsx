import { bounds, rules } from '@knowledge/runtime/product';
import { scopeNames, type TokenView } from '../../present/access.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { checkField, textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { strange, timeOf } from '../layout/values.js';
import { factList } from './facts.js';
import { reasonField } from './forms.js';

/** What the form for a new token sends. */
export interface IssueForm {
  /** Made with the form, so that a form that is sent twice makes one token. */
  readonly requestKey: string;
  readonly agentName: string;
  readonly scopes: readonly string[];
  readonly reason: string;
}

/** The fields with a place for a fault, as the service names them. */
export const issueFields = ['agent_name', 'reason'] as const;

type IssueField = (typeof issueFields)[number];

interface Place {
  readonly path: string;
  readonly email: string;
  readonly csrf: string;
}

/** Asks for what a new token needs, and says what it means; after a refusal with what was typed. */
export function issuePage(form: IssueForm, { path, email, csrf }: Place, faults: FormFaults<IssueField>): Shown {
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
export function issuedPage(secret: string, token: TokenView, path: string): Shown {
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
