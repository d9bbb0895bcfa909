import type { Contribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { fromWireContributionState } from '../../present/contribution.js';
import { nameOf } from './sent-words.js';

/** What a human can do with a contribution. */
export type SentAction = 'withdraw' | 'take_down';

/** The button that withdraws or takes down a contribution; undefined if it is too late. */
export function sentAction(contribution: Contribution, key: string): Html | undefined {
  const of: Fragment = [' ', <span class="aside">({nameOf(contribution)})</span>];
  switch (fromWireContributionState(contribution.state)) {
    case 'pending_review':
    case 'changes_requested':
      return form(contribution.id, key, 'withdraw', ['Withdraw', of]);
    case 'approved':
    case 'published':
      return (
        <details class="sure">
          <summary>Take it down{of}</summary>
          <p>
            Nobody can read it from then on, and its agent cannot bring it back. Copies that others made stay with them.
          </p>
          {form(contribution.id, key, 'take_down', ['Yes, take it down', of])}
        </details>
      );
    default:
      return undefined;
  }
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
