import type { Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { csrfField } from './csrf-field.js';
import { atMost } from './fields.js';

interface FormParts {
  readonly action: string;
  readonly csrf: string;
  readonly button: string;
  /** What the button does, for people who hear it without the row around it. */
  readonly label?: string;
  /** Whether a reason must be given. */
  readonly isReasonRequired?: boolean;
  readonly children?: Fragment;
}

/** A form in one line of a table: a reason and a button. */
export function reasonForm({ action, csrf, button, label = button, isReasonRequired, children }: FormParts): Html {
  return (
    <form class="inline" method="post" action={action}>
      {csrfField(csrf)}
      {children}
      <input
        type="text"
        name="reason"
        {...atMost(bounds.reason.max)}
        placeholder="Reason"
        required={isReasonRequired === true}
        aria-label={`Reason: ${label}`}
      />
      <button aria-label={label}>{button}</button>
    </form>
  );
}

interface BlockParts {
  readonly action: string;
  readonly csrf: string;
  readonly title: string;
  readonly about: Fragment;
  readonly button: string;
  readonly children: Fragment;
}

/** A form that stands alone, below its heading. */
export function formBlock({ action, csrf, title, about, button, children }: BlockParts): Html {
  return (
    <section>
      <h3>{title}</h3>
      <p class="soft">{about}</p>
      <form class="fields" method="post" action={action}>
        {csrfField(csrf)}
        {children}
        <p>
          <button>{button}</button>
        </p>
      </form>
    </section>
  );
}
