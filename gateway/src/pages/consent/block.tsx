import type { GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { endElement, type Fragment, type Html } from '@knowledge/runtime/html';

/** The relative path from a confirmation page to the root of its site. */
export const fromConfirm = '../../../../';

/** How long a human can block requests without blocking them for ever. */
const days = 30;

type Refusing = Pick<GetAccessResponse, 'requestsRefused' | 'requestsRefusedUntil'>;
type Links = Pick<GetAccessResponse, 'linksWeekly' | 'linksRefused'>;
type Blocked = Pick<GetAccessResponse, 'blocked' | 'blockedUntil'>;

/** Shows whether agents may send requests to this human, with a button that changes it. */
export function blockPart({ key, ...refusing }: Refusing & Blocked & Links & { readonly key: string }): Html {
  return (
    <>
      <h2>Requests from agents</h2>
      {refusing.requestsRefused ? unblockForm(key, refusing) : blockForm({ key }, refusing.blocked)}
      {refusing.linksWeekly && linksForm(key, refusing)}
    </>
  );
}

/** Says that our team has blocked the mailbox, and what that means. */
export function blockedNote({ blockedUntil: until }: Blocked): Html {
  return (
    <p class="wrong">
      <strong>
        Our team has blocked this mailbox {until === undefined ? 'for ever' : ['until ', endElement(until)]}.
      </strong>{' '}
      {until === undefined ? 'No' : 'Until then no'} agent can ask you for access, renew it or send us a text in your
      name. The reason is in our mail. If you disagree, write to us, free of charge, and say why: a person looks at it
      again.
    </p>
  );
}

/** The form that blocks requests of agents, authorized by a mailed code or an access key. */
export function blockForm(secret: { code: string } | { key: string }, blocked = false): Html {
  const action =
    'code' in secret
      ? `${fromConfirm}access/block?code=${encodeURIComponent(secret.code)}`
      : `access/block?key=${encodeURIComponent(secret.key)}`;
  return (
    <details class="block">
      <summary>Turn off requests from agents</summary>
      <p>
        You get no mail about new requests then, and those that wait for your answer now are declined. Agents that you
        said yes to keep their access{!blocked && ' and may still ask you to renew it'}. You can turn requests on again
        on your own page.
      </p>
      <form method="post" action={action}>
        <p class="choice">
          <button class="stop" name="days" value={days}>
            Turn off for {days} days
          </button>{' '}
          <button class="stop" name="days" value="0">
            Turn off for ever
          </button>
        </p>
      </form>
    </details>
  );
}

// No agent has access, so nothing but the block is known of this address.
function linksForm(key: string, { linksRefused }: Links): Html {
  if (linksRefused)
    return <p id="links">We mail no link to this page any more, whoever asks. Keep the one that you have.</p>;
  return (
    <form method="post" action={`access/block?key=${encodeURIComponent(key)}`} id="links">
      <p>If somebody asks for it, we mail you the link to this page, once a week at most.</p>
      <p>
        <button class="stop" name="days" value="no-links">
          No more of these mails
        </button>
      </p>
    </form>
  );
}

function unblockForm(key: string, refusing: Refusing & Blocked): Html {
  return (
    <>
      <p>
        Requests from agents to this address are turned off{untilWords(refusing)}.
        {!refusing.blocked && ' Agents that can act for you may still ask you to renew their access.'}
      </p>
      <form method="post" action={`access/block?key=${encodeURIComponent(key)}`}>
        <p>
          <button name="days" value="none">
            Turn requests on again
          </button>
        </p>
      </form>
    </>
  );
}

/** Says how long requests stay turned off. */
export function untilWords({ requestsRefusedUntil: until }: Refusing): Fragment {
  return until === undefined ? ' until you turn them on again' : [' until ', endElement(until)];
}
