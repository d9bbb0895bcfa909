import type { Authorization } from '@knowledge/proto/knowledge/identity/v1/identity';
import { timestamp } from '../../envelope.js';
import type { AuthorizationStateName } from '../../present/authorization.js';
import { presentScope } from '../../present/scope.js';
import { type ConsentPage, escapeHtml } from './consent-layout.js';
import { scopeInWords } from './scope-words.js';

/** What the page of a pending request shows. */
export interface Confirmation {
  readonly authorization: Authorization;
  /** The whole address: whoever holds the mailed code reads that mailbox. */
  readonly email: string;
  readonly code: string;
  /** Whether the human must type the agent's code. */
  readonly userCodeRequired: boolean;
}

/** Who asks for what, with two buttons that are as easy to find (protocol.md section 5.3, hardening.md C2). */
export function confirmationPage({ authorization, email, code, userCodeRequired }: Confirmation): ConsentPage {
  const { agentName, purpose, scopes, createdAt, userCode } = authorization;
  const agent = escapeHtml(agentName);
  const may = scopes.map((scope) => `<li>${scopeInWords(presentScope(scope))}</li>`).join('');
  const action = `/api/v1/agent/authorize/confirm?code=${encodeURIComponent(code)}`;
  const facts = [
    fact('Agent', agent),
    fact('Your address', escapeHtml(email)),
    fact('Asked', `<time>${timestamp(createdAt ?? new Date(0))}</time>`),
    purpose === '' ? '' : fact('Its purpose, in its words', escapeHtml(purpose)),
    userCodeRequired ? '' : fact('Code to compare', `<span class="code">${escapeHtml(userCode)}</span>`),
  ].join('');
  const compare = userCodeRequired
    ? `<label for="user_code">Type the code that your agent shows</label><input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20">`
    : '';
  return {
    title: `Let ${agentName} write in your name?`,
    body: `<p>An agent asks for access to Community Knowledge with your address. ${may === '' ? 'It may <strong>only read</strong>, ten articles a day.' : 'It may:'}</p>
${may === '' ? '' : `<ul>${may}<li>read ten articles a day</li></ul>`}
<dl>${facts}</dl>
<p>${userCodeRequired ? 'Confirm only if you started this yourself.' : 'If your agent does not show this very code, or you did not start this, press <strong>Decline</strong>.'} What it sends is reviewed before anything is published. Access ends after 180 days, and you can take it back at any time.</p>
<form method="post" action="${action}">${compare}
<p class="choice"><button name="decision" value="confirm">Confirm</button> <button class="stop" name="decision" value="decline" formnovalidate>Decline</button></p>
</form>`,
  };
}

/** What the human sees once it is decided. */
export interface Decided {
  readonly state: AuthorizationStateName;
  readonly agentName: string;
  /** The human's own link; only right after a confirmation. */
  readonly accessUrl: string | undefined;
}

/** The result, also of a link that is opened again. */
export function decidedPage({ state, agentName, accessUrl }: Decided): ConsentPage {
  const agent = escapeHtml(agentName);
  const own =
    accessUrl === undefined
      ? ''
      : `<p>This link is yours alone: it lists what you granted and what was sent in your name, and takes access back. It is also in your mailbox.</p><p><a href="${escapeHtml(accessUrl)}">See and revoke access</a></p>`;
  switch (state) {
    case 'confirmed':
    case 'issued':
      return {
        title: 'Confirmed',
        body: `<p>${agent} may now fetch its token and write in your name for 180 days. You can close this page.</p>${own}`,
      };
    case 'declined':
      return {
        title: 'Declined',
        body: `<p>${agent} gets no access. Nothing else happens; you can close this page.</p>`,
      };
    case 'revoked':
      return { title: 'Revoked', body: `<p>The access of ${agent} was taken back.</p>` };
    case 'expired':
    case 'pending':
      return { title: 'Not decided', body: `<p>This request of ${agent} is over. Your agent can ask again.</p>` };
  }
}

function fact(name: string, value: string): string {
  return `<dt>${name}</dt><dd>${value}</dd>`;
}
