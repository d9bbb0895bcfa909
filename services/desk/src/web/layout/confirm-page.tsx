import type { Fragment } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { textField } from '../forms/fields.js';
import type { Shown } from './send-page.js';

/** What a page asks before a change. */
export interface Question {
  readonly title: string;
  /** What the change means. */
  readonly warning: Fragment;
  /** What is to be seen before the answer, such as a difference. */
  readonly shown?: Fragment;
  readonly button: string;
  /** The path of the form, and the page to which the other answer leads. */
  readonly action: string;
  readonly back: string;
  /** Whether the change takes no reason. */
  readonly withoutReason?: boolean;
  /** The values that the form sends along. */
  readonly hidden: Readonly<Record<string, string | number>>;
}

/** Asks before a change, with room for a reason. */
export function confirmPage(question: Question, csrf: string): Shown {
  const { title, warning, shown, button, action, back, hidden, withoutReason = false } = question;
  const main = (
    <>
      <h1>{title}</h1>
      <p>{warning}</p>
      {shown}
      <form class="edit" method="post" action={action}>
        {csrfField(csrf)}
        {Object.entries(hidden).map(([name, value]) => (
          <input type="hidden" name={name} value={String(value)} />
        ))}
        {!withoutReason && textField({ name: 'reason', label: 'Reason', maxlength: bounds.reason.max })}
        {buttonRow(<button class="main">{button}</button>, linkButton(back, 'Cancel'))}
      </form>
    </>
  );
  return { title, main };
}

/** Reads a revision that a form sends along; 0 if there is none. */
export function toRevision(value: string): number {
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}
