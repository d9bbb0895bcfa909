import type { Html } from '../parts/html.js';

/** The relative path from a confirmation page to the root of its site. */
export const fromConfirm = '../../../../';

/** How long a human can block requests without blocking them for ever. */
const days = 30;

/** The form that blocks requests of agents, authorized by a mailed code or an access key. */
export function blockForm(secret: { code: string } | { key: string }): Html {
  const action =
    'code' in secret
      ? `${fromConfirm}access/block?code=${encodeURIComponent(secret.code)}`
      : `access/block?key=${encodeURIComponent(secret.key)}`;
  return (
    <details class="block">
      <summary>Turn off requests from agents</summary>
      <p>
        You get no mail about new requests then, and those that wait for your answer now are declined. Agents that you
        said yes to keep their access and may still ask you to renew it. You can turn requests on again on your own
        page.
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
