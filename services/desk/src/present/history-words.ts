import { decisions } from '@knowledge/runtime/product';
import { contributionStates, isDecisionName } from './contribution-words.js';

/** What was done; `decision` is named as the service names it, for example `approve and publish`. */
export function outcomeOf(decision: string): string {
  const name = decision.replaceAll(' ', '_');
  return isDecisionName(name) ? decisions[name].done : decision;
}

/** An entry of a history in words: `published → proposed` is no change of the state. Other entries stay as they are. */
export function entryWords(from: string, to: string, reason: string): { change: string | undefined; reason: string } {
  const change = contributionStates.words.includes(from) && Object.hasOwn(entries, to) ? entries[to] : undefined;
  const isOfDecision = change?.startsWith('decision');
  return { change, reason: isOfDecision ? inPastTense(reason) : reason };
}

const entries: Readonly<Record<string, string>> = {
  decided: 'decision, can be undone',
  undone: 'decision undone',
  dropped: 'decision dropped',
  proposed: 'edit proposed',
  declined: 'edit declined',
};

/** The reason of a held decision, such as `reject: off topic`, with the outcome in place of the command. */
function inPastTense(reason: string): string {
  const command = /^(?<before>the decision of .{1,200}?: )?(?<decision>[a-z ]{5,19})(?=: |$)/s.exec(reason)?.groups;
  if (command === undefined) return reason;
  const { before = '', decision = '' } = command;
  return before + outcomeOf(decision) + reason.slice(before.length + decision.length);
}
