import type { Html } from '../parts/html.js';

/** The form that chooses the mails about new contributions. */
export function mailChoiceForm(key: string, eachReceipt: boolean): Html {
  return (
    <>
      <h2>Mails to you</h2>
      <form method="post" action={`access/mails?key=${encodeURIComponent(key)}`}>
        <fieldset>
          <legend>When an agent sends something in your name, mail me</legend>
          {choice('first', 'about the first text of each agent', !eachReceipt)}
          {choice('each', 'about each text', eachReceipt)}
        </fieldset>
        <p class="soft">What a moderator decides, we always mail you.</p>
        <p>
          <button>Save</button>
        </p>
      </form>
    </>
  );
}

function choice(value: string, label: string, chosen: boolean): Html {
  return (
    <p>
      <label class="tick">
        <input type="radio" name="receipts" value={value} checked={chosen} /> {label}
      </label>
    </p>
  );
}
