import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Authorization, Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { presentState } from '../../present/authorization.js';
import { presentScope } from '../../present/scope.js';
import { minute } from '../dates.js';
import { type Html, html } from '../html.js';
import type { ConsentPage } from './consent-layout.js';
import { inWords } from './scope-words.js';
import { sentEntry } from './sent-entry.js';

/** What a human's own page shows. */
export interface Access {
  readonly key: string;
  readonly email: string;
  readonly tokens: readonly Token[];
  readonly authorizations: readonly Authorization[];
  /** Sent in their name, newest first; undefined where it cannot be asked now. */
  readonly contributions: readonly Contribution[] | undefined;
  readonly objectBase: string;
}

/** What a human granted and what was sent in their name, each grant with its button (protocol.md section 5.5). */
export function accessPage(access: Access): ConsentPage {
  const { key, email, tokens, authorizations, contributions, objectBase } = access;
  const open = tokens.filter(isLive).length + authorizations.length;
  return {
    title: 'The access that you gave',
    body: html`<p>This page belongs to <strong>${email}</strong>. Keep its link to yourself: whoever has it can see and end your access.</p>
<h2>Agents with access</h2>
${entries(tokens.map((token) => grant(token, key))) ?? html`<p class="soft">No agent has fetched its access yet.</p>`}
${authorizations.length > 0 && html`<h2>Requests under way</h2>\n${entries(authorizations.map((each) => request(each, key)))}\n`}${open > 1 && html`<div class="all">${endForm(key, '', 'End all access and requests')}</div>\n`}<h2>Sent in your name</h2>
${
  contributions === undefined
    ? html`<p>This list cannot be shown right now. Please load the page again in a minute.</p>`
    : (entries(contributions.map((each) => sentEntry(each, objectBase))) ?? html`<p class="soft">Nothing so far.</p>`)
}`,
  };
}

function grant(token: Token, key: string): Html {
  const { agentName, scopes, createdAt, lastUsedAt, id } = token;
  return html`<p><strong>${agentName}</strong></p>
<p class="soft">May ${inWords(scopes.map(presentScope)).join('; ')}.</p>
<p class="soft">Since ${at(createdAt)}, ${lastUsedAt === undefined ? 'not used yet' : html`last used ${at(lastUsedAt)}`}. ${end(token)}</p>
${isLive(token) && endForm(key, id, 'End access', `End access of ${agentName}`)}`;
}

function end(token: Token): Html {
  if (token.revokedAt !== undefined) return html`<strong>Ended</strong> ${at(token.revokedAt)}.`;
  return isLive(token)
    ? html`Ends by itself ${at(token.expiresAt)}.`
    : html`<strong>Ended</strong> ${at(token.expiresAt)}.`;
}

function request({ agentName, state, createdAt, id }: Authorization, key: string): Html {
  return html`<p><strong>${agentName}</strong></p>
<p class="soft">Asked ${at(createdAt)}; ${presentState(state) === 'pending' ? 'waits for your decision' : 'confirmed, and not yet fetched by the agent'}.</p>
${endForm(key, id, 'End request', `End request of ${agentName}`)}`;
}

function isLive({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt === undefined && (expiresAt?.getTime() ?? 0) > Date.now();
}

function entries(items: readonly Html[]): Html | undefined {
  return items.length === 0
    ? undefined
    : html`<ul class="entries">\n${items.map((item) => html`<li>${item}</li>\n`)}</ul>`;
}

function endForm(key: string, id: string, label: string, name = label): Html {
  return html`<form method="post" action="?key=${encodeURIComponent(key)}"><input type="hidden" name="id" value="${id}"><button class="stop" aria-label="${name}">${label}</button></form>`;
}

function at(date: Date | undefined): Html {
  return minute(date ?? new Date(0));
}
