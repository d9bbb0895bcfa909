import type { Authorization } from '@knowledge/proto/knowledge/identity/v1/identity';
import { presentScope } from '../../present/scope.js';
import { minute } from '../dates.js';
import { type Html, html } from '../html.js';
import type { ConsentPage } from './consent-layout.js';
import { inWords } from './scope-words.js';

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
  return {
    title: 'An agent asks for access in your name',
    body: html`<p>The agent <strong>${agentName}</strong> would like to use the Community Knowledge Service for you. Nothing happens until you decide.</p>
<dl class="facts">
<dt>Agent</dt><dd>${agentName}</dd>
<dt>Your address</dt><dd>${email}</dd>
${createdAt && html`<dt>Asked</dt><dd>${minute(createdAt)}</dd>\n`}${purpose !== '' && html`<dt>In its own words</dt><dd dir="auto">${purpose}</dd>\n`}</dl>
<p>If you confirm, for 180 days it may:</p>
<ul>
${inWords(scopes.map(presentScope)).map((each) => html`<li>${each}</li>\n`)}</ul>
<p>You can end this access at any time.</p>
<form method="post" action="?code=${encodeURIComponent(code)}">
${userCodeRequired ? codeToType : codeToCompare(userCode)}
<p class="choice"><button name="decision" value="confirm">Confirm</button> <button class="stop" name="decision" value="decline" formnovalidate>Decline</button></p>
</form>`,
  };
}

function codeToCompare(userCode: string): Html {
  return html`<p>Your agent should show you this code:</p>
<p class="code">${userCode}</p>
<p>If it shows another one, or none at all, or if you expected no such request, choose <strong>Decline</strong>.</p>`;
}

const codeToType = html`<label for="user_code">The code that your agent shows you</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20" aria-describedby="user_code_why">
<p id="user_code_why" class="soft">If nobody has shown you a code, or you expected no such request, choose <strong>Decline</strong>.</p>`;
