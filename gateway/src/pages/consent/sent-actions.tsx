import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { fromWireContributionState } from '../../present/contribution.js';
import { nameOf } from './sent-words.js';

/** What a human can do with a contribution. */
export type SentAction = 'withdraw' | 'take_down' | 'erase';

/** The button that withdraws, takes down or erases a contribution; undefined if it is too late. */
export function sentAction(contribution: Contribution, key: string): Html | undefined {
  const of: Fragment = [' ', <span class="aside">({nameOf(contribution)})</span>];
  const button = (action: SentAction, label: string): Html => form(contribution.id, key, action, [label, of]);
  switch (fromWireContributionState(contribution.state)) {
    case 'pending_review':
    case 'changes_requested':
      return button('withdraw', 'Withdraw');
    case 'approved':
    case 'published':
      return sure(
        ['Take it down', of],
        'Readers cannot find it from then on, and its agent cannot bring it back. Copies that others made stay with them.',
        button('take_down', 'Yes, take it down'),
      );
    case 'withdrawn':
      return sure(
        ['Erase it now', of],
        'Nobody can read it from then on: not you, not its agent and no moderator.',
        button('erase', 'Yes, erase it'),
      );
    default:
      return undefined;
  }
}

function sure(question: Fragment, words: string, yes: Html): Html {
  return (
    <details class="sure">
      <summary>{question}</summary>
      <p>{words}</p>
      {yes}
    </details>
  );
}

function form(id: string, key: string, action: SentAction, label: Fragment): Html {
  return (
    <form method="post" action={`access/work?key=${encodeURIComponent(key)}`}>
      <input type="hidden" name="id" value={id} />
      <button class="stop" name="do" value={action}>
        {label}
      </button>
    </form>
  );
}
