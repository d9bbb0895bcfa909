import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { type ContributionTypeName, presentState, presentType } from '../../present/contribution.js';
import { minute } from '../dates.js';
import { type Html, html } from '../html.js';

/** What was sent in a human's name: what it is, what became of it, and the words of the people who decided. */
export function sentEntry(contribution: Contribution, objectBase: string): Html {
  const { id, title, body, submittedAt, reason, answer } = contribution;
  const type = presentType(contribution.type);
  const state = presentState(contribution.state);
  const name = html`<strong dir="auto">${title || beginning(body)}</strong>`;
  return html`<p>${state === 'published' ? html`<a href="${objectBase}/objects/${id}">${name}</a>` : name}</p>
<p class="soft">${typeWords[type]}, sent ${minute(submittedAt ?? new Date(0))}; ${state === 'pending_review' ? waits(type) : state}.</p>
${reason !== '' && html`<p class="soft" dir="auto">Reason: ${reason}</p>`}${answer !== '' && html`<p class="soft" dir="auto">Answer: ${answer}</p>`}`;
}

const typeWords = { inquiry: 'Inquiry', story: 'Story', prompt_reply: 'Reply to a prompt' } as const;

function waits(type: ContributionTypeName): string {
  return type === 'inquiry' ? 'waits for an answer' : 'waits for review';
}

function beginning(text: string): string {
  const characters = [...text];
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : text;
}
