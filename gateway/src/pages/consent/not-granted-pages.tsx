import { day } from '../parts/dates.js';
import type { Html } from '../parts/html.js';
import { blockForm } from './block-form.js';
import type { ConsentPage } from './consent-layout.js';
import { linkForm } from './link-form.js';
import { agentOf, on } from './request-words.js';
import type { Told } from './told.js';

/** The human said no, or turned off requests while this one waited. */
export function declinedPage(told: Told): ConsentPage {
  const { shown, justNow } = told;
  const name = agentOf(shown);
  const opening = justNow ? (
    <>
      You said <strong>no</strong> to {name}.
    </>
  ) : (
    <>
      {on(shown.endedAt)} you said <strong>no</strong> to {name}
      {shown.requestsRefused && ', or turned off requests from agents while it waited'}.
    </>
  );
  return {
    title: justNow ? 'You said no' : 'You already decided',
    body: (
      <>
        <p>
          {opening} {nothingGiven(told)}
        </p>
        {afterwards(told)}
      </>
    ),
  };
}

/** Support ended the request before its human decided. */
export function withdrawnPage(told: Told): ConsentPage {
  const { shown } = told;
  return {
    title: 'This request was withdrawn',
    body: (
      <>
        <p role="status">
          Our support team withdrew the request of {agentOf(shown)}
          {shown.endedAt && <> on {day(shown.endedAt)}</>}, before you had decided. {nothingGiven(told)}
        </p>
        {afterwards(told)}
      </>
    ),
  };
}

/** Time or wrong codes ended the request. */
export function overPage(told: Told): ConsentPage {
  const { shown } = told;
  const why = (shown.endReason || 'Nobody decided in time, or the agent did not come back').replace(/\.$/, '');
  return {
    title: 'This request is over',
    body: (
      <>
        <p>
          {why}, so we closed the request of {agentOf(shown)}
          {shown.endedAt && <> on {day(shown.endedAt)}</>}. {nothingGiven(told)}
        </p>
        <p>If you still want to say yes, let your agent ask again: you get a new mail.</p>
        {afterwards(told)}
      </>
    ),
  };
}

// After a declined renewal the earlier access goes on, and the page must say so.
function nothingGiven({ shown }: Told): Html {
  const { renewedUntil, authorization } = shown;
  if (renewedUntil === undefined) return <>This request never gave it access. There is nothing more to do.</>;
  return (
    <>
      It asked to renew an access. Your earlier yes to{' '}
      <strong>
        “<bdi>{authorization?.renewedAgentName ?? ''}</bdi>”
      </strong>{' '}
      still holds until <strong>{day(renewedUntil)}</strong>: that agent can go on acting for you until then, unless you
      stop it.
    </>
  );
}

function afterwards({ shown, code }: Told): Html {
  const block = shown.requestsRefused ? refused : blockForm({ code });
  return shown.renewedUntil === undefined ? (
    block
  ) : (
    <>
      <h2>Stop it</h2>
      {linkForm(code)}
      {block}
    </>
  );
}

const refused = <p>Requests from agents to this address are turned off. Your own page turns them on again.</p>;
