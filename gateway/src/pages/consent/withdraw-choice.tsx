import type { Html } from '@knowledge/runtime/html';

/** The checkbox that withdraws waiting texts. Since an unchecked box sends nothing, a hidden field stands before it. */
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

/** The value of that checkbox: the last one, since the form sends the field once or twice. */
export function lastValueOf(sent: unknown): unknown {
  return Array.isArray(sent) ? sent.at(-1) : sent;
}
