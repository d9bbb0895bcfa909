import { type Html, html } from '../html.js';

/** From the page of a mailed link to the root of its site, which may have a path of its own. */
export const fromConfirm = '../../../../';

/** Lets agents ask an address no more, by a mailed code or by the key of the human's own page. */
export function blockForm(secret: { code: string } | { key: string }): Html {
  const action =
    'code' in secret
      ? `${fromConfirm}access/block?code=${encodeURIComponent(secret.code)}`
      : `access/block?key=${encodeURIComponent(secret.key)}`;
  return html`<details class="block">
<summary>Do not let agents ask this address again</summary>
<p>Agents can then ask for you as often as they like: no mail reaches you, and what waits for your answer now is declined. Agents that you said yes to keep their access. Your own page takes this back.</p>
<form method="post" action="${action}">
<p class="choice"><button class="stop" name="days" value="30">For 30 days</button> <button class="stop" name="days" value="0">For ever</button></p>
</form>
</details>`;
}
