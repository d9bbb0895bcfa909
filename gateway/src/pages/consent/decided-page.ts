import type { AuthorizationStateName } from '../../present/authorization.js';
import { html } from '../html.js';
import type { ConsentPage } from './consent-layout.js';

/** What the human sees once it is decided. */
export interface Decided {
  readonly state: AuthorizationStateName;
  readonly agentName: string;
  /** The human's own link; only right after a confirmation. */
  readonly accessUrl: string | undefined;
}

/** The result, also of a link that is opened again. */
export function decidedPage({ state, agentName, accessUrl }: Decided): ConsentPage {
  const agent = html`<strong>${agentName}</strong>`;
  switch (state) {
    case 'confirmed':
    case 'issued':
      return {
        title: 'You gave this agent access',
        body: html`<p>Thank you. ${agent} may use the Community Knowledge Service in your name for 180 days. You can close this page and go back to your agent: it goes on by itself.</p>
<h2>See it or end it at any time</h2>
${
  accessUrl === undefined
    ? html`<p>The mail that follows your confirmation has the link to your own page. That page shows every access that you gave and what was sent in your name, and ends an access at once.</p>`
    : html`<p>Your own page shows every access that you gave and what was sent in your name, and ends an access at once. Keep its link to yourself; we are sending you one by mail as well.</p>
<p><a href="${accessUrl}">See and end access</a></p>`
}`,
      };
    case 'declined':
      return {
        title: 'You declined',
        body: html`<p>This request gives ${agent} no access. There is nothing more to do; you can close this page.</p>`,
      };
    case 'revoked':
    case 'renewed':
      return {
        title: 'This access has ended',
        body: html`<p>What this request gave ${agent} was taken back: it can no longer be used.</p>`,
      };
    case 'expired':
    case 'pending':
      return {
        title: 'This request is over',
        body: html`<p>${agent} has no access from it. If you still want to give it, let your agent ask again.</p>`,
      };
  }
}

/** What the human sees who asked for a new link. */
export function resentPage(maskedEmail: string): ConsentPage {
  return {
    title: 'A new link is on its way',
    body: html`<p>In a moment there is a new mail for <strong>${maskedEmail}</strong>. It says how long its link works. You can close this page.</p>`,
  };
}
