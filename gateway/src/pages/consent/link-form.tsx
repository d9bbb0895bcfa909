import type { Html } from '../parts/html.js';
import { fromConfirm } from './block-form.js';

/** The button on a confirmation page that mails the human a link to their access page. */
export function linkForm(code: string): Html {
  return (
    <>
      <p>Your own page shows every agent that can act for you and what was sent in your name, and stops both.</p>
      <form method="post" action={`${fromConfirm}access/link`}>
        <input type="hidden" name="code" value={code} />
        <p class="choice">
          <button>Mail me the link to my page</button>
        </p>
      </form>
    </>
  );
}
