import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { dayElement, endElement, type Fragment, type Html } from '@knowledge/runtime/html';
import { blockForm, boldName, type ConsentPage, fromConfirm } from './consent-layout.js';
import { linkForm } from './link-page.js';

/** The page of a request that the human declined, or that a block declined. */
export function declinedPage(view: RequestView): ConsentPage {
  const { shown, justNow } = view;
  const name = agentOf(shown);
  return {
    title: justNow ? 'You said no' : 'You already decided',
    body: (
      <>
        <p>
          {justNow ? 'You' : [onDate(shown.endedAt), ' you']} said <strong>no</strong> to {name}
          {!justNow && shown.requestsRefused && ', or turned off requests from agents while it waited'}.{' '}
          {nothingGiven(view)}
        </p>
        {shown.renewedUntil === undefined && !shown.requestsRefused && (
          <p>
            For a day we mail you no request of an agent of this name, or from the same network. If you want to say yes
            after all, let your agent ask again after that.
          </p>
        )}
        {afterwards(view)}
      </>
    ),
  };
}

/** The page of a request that support, or the agent with its token, ended before the human decided. */
export function withdrawnPage(view: RequestView): ConsentPage {
  const { shown } = view;
  const isOfAgent = shown.endedBy === 'agent';
  return {
    title: 'This request was withdrawn',
    body: (
      <>
        <p role="status">
          {isOfAgent
            ? ['The agent gave its earlier access back, and with it the request of ', agentOf(shown)]
            : ['Our support team withdrew the request of ', agentOf(shown)]}
          {shown.endedAt && [' on ', dayElement(shown.endedAt)]}, before you had decided. {nothingGiven(view)}
        </p>
        {afterwards(view)}
      </>
    ),
  };
}

/** The page of a request that expired, or that too many wrong codes ended. */
export function lapsedPage(view: RequestView): ConsentPage {
  const { shown } = view;
  const why = (shown.endReason || 'Nobody decided in time, or the agent did not come back').replace(/\.$/, '');
  return {
    title: 'This request is over',
    body: (
      <>
        <p>
          {why}, so we closed the request of {agentOf(shown)}
          {shown.endedAt && [' on ', dayElement(shown.endedAt)]}. {nothingGiven(view)}
        </p>
        {!shown.requestsRefused && <p>If you still want to say yes, let your agent ask again: you get a new mail.</p>}
        {afterwards(view)}
      </>
    ),
  };
}

// After a declined renewal the earlier access goes on, and the page must say so.
function nothingGiven({ shown }: RequestView): Fragment {
  const { renewedUntil, authorization } = shown;
  if (renewedUntil === undefined) return 'This request never gave it access. There is nothing more to do.';
  return (
    <>
      It asked to renew an access. Your earlier yes to {boldName(authorization?.renewedAgentName ?? '')} still holds
      until <strong>{endElement(renewedUntil)}</strong>: that agent can go on acting for you until then, unless you stop
      it.
    </>
  );
}

function afterwards({ shown, code }: RequestView): Fragment {
  const block = shown.requestsRefused ? refused : blockForm({ code });
  return shown.renewedUntil === undefined ? block : [linkForm(code, 'Stop it'), block];
}

const refused = (
  <p>
    Requests from agents to this address are turned off. If you want to say yes after all, turn requests on again on
    your own page: <a href={`${fromConfirm}access/link`}>have its link mailed to you</a>. Then let your agent ask again.
  </p>
);

/** What the page of a decided or ended request shows. */
export interface RequestView {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The link to the access page; only right after a confirmation. */
  readonly accessUrl?: string | undefined;
  /** Whether this HTTP request made the decision. */
  readonly justNow?: boolean | undefined;
  /** The number of waiting texts that this HTTP request withdrew; undefined if unknown. */
  readonly withdrawn?: number | undefined;
}

/** The requesting agent, by the name that it gave itself. */
export function agentOf({ authorization }: Pick<GetConfirmationResponse, 'authorization'>): Html {
  return boldName(authorization?.agentName ?? '');
}

/** Begins a sentence: `On 1 June 2026`, or `Before now,` if the date is unknown. */
export function onDate(date: Date | undefined): Fragment {
  return date === undefined ? 'Before now,' : ['On ', dayElement(date)];
}
