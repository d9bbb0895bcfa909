import type { Html } from '../parts/html.js';

/** The tick by which the end of an access withdraws what waits; a box without its tick sends nothing, so a hidden field goes first. */
export function withdrawChoice(whose: 'it has' | 'they have'): Html {
  return (
    <>
      <input type="hidden" name="keep_waiting" value="yes" />
      <p>
        <label class="tick soft">
          <input type="checkbox" name="keep_waiting" value="no" checked /> Withdraw what {whose} sent and nobody has
          reviewed yet
        </label>
      </p>
    </>
  );
}

/** What a form with that tick says, which sends the field once or twice: the last one counts. */
export function lastOf(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.at(-1) : sent;
}
