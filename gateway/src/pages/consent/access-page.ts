import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Authorization, Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { timestamp } from '../../envelope.js';
import { presentState as presentAuthorizationState } from '../../present/authorization.js';
import { presentState, presentType } from '../../present/contribution.js';
import { presentScope } from '../../present/scope.js';
import { type ConsentPage, escapeHtml } from './consent-layout.js';
import { scopeInWords } from './scope-words.js';

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
  const grants = tokens.map((token) => grant(token, key));
  const waiting = authorizations.map(({ id, agentName, state, createdAt }) =>
    row(
      `<strong>${escapeHtml(agentName)}</strong>`,
      [`${presentAuthorizationState(state)}, asked ${day(createdAt)}`],
      revokeForm(key, id),
    ),
  );
  const all = tokens.some((token) => isLive(token)) ? revokeForm(key, '', 'Take back all access') : '';
  return {
    title: 'Your access',
    body: `<p>This page is for ${escapeHtml(email)}. Keep its link to yourself: whoever has it can take access back.</p>
<h2>Agents that you allowed</h2>
${grants.join('') || '<p class="soft">None at the moment.</p>'}${all}
${waiting.length === 0 ? '' : `<h2>Requests that are under way</h2>${waiting.join('')}`}
<h2>Sent in your name</h2>
${contributions === undefined ? '<p>The list cannot be shown right now; please try again in a minute.</p>' : sent(contributions, objectBase)}`,
  };
}

function grant(token: Token, key: string): string {
  const { agentName, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, id } = token;
  const may = scopes.length === 0 ? 'only read' : scopes.map((scope) => scopeInWords(presentScope(scope))).join('; ');
  const used = lastUsedAt === undefined ? 'never used' : `last used ${day(lastUsedAt)}`;
  const ended =
    revokedAt !== undefined
      ? `Taken back ${day(revokedAt)}.`
      : isLive(token)
        ? `Until ${day(expiresAt)}, ${used}.`
        : `Ended ${day(expiresAt)}.`;
  const lines = [`May ${may}.`, `Since ${day(createdAt)}. ${ended}`];
  return row(`<strong>${escapeHtml(agentName)}</strong>`, lines, isLive(token) ? revokeForm(key, id) : '');
}

function isLive({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt === undefined && (expiresAt?.getTime() ?? 0) > Date.now();
}

function sent(contributions: readonly Contribution[], objectBase: string): string {
  if (contributions.length === 0) return '<p class="soft">Nothing so far.</p>';
  return contributions
    .map((each) => {
      const { id, title, body, submittedAt, reason, answer, state } = each;
      const name = escapeHtml(title || `${[...body].slice(0, 80).join('')}${[...body].length > 80 ? '…' : ''}`);
      const shown = presentState(state);
      const head = shown === 'published' ? `<a href="${objectBase}/objects/${escapeHtml(id)}">${name}</a>` : name;
      const lines = [
        `${presentType(each.type).replace('_', ' ')}, ${shown.replace('_', ' ')}, sent ${day(submittedAt)}`,
      ];
      if (reason !== '') lines.push(`Reason: ${escapeHtml(reason)}`);
      if (answer !== '') lines.push(`Answer: ${escapeHtml(answer)}`);
      return row(head, lines, '');
    })
    .join('');
}

function row(head: string, lines: readonly string[], action: string): string {
  return `<div class="grant"><p>${head}</p>${lines.map((line) => `<p class="soft">${line}</p>`).join('')}${action}</div>`;
}

function revokeForm(key: string, id: string, label = 'Take access back'): string {
  return `<form method="post" action="/access?key=${encodeURIComponent(key)}"><input type="hidden" name="id" value="${escapeHtml(id)}"><p class="choice"><button class="stop">${label}</button></p></form>`;
}

function day(date: Date | undefined): string {
  const text = timestamp(date ?? new Date(0));
  return `<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
