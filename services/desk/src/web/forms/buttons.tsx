import type { Fragment, Html } from '@knowledge/runtime/html';

/** Buttons and links in a row. */
export function buttonRow(...buttons: readonly (Html | false | undefined)[]): Html {
  return <ul class="buttons">{buttons.map((each) => each && <li>{each}</li>)}</ul>;
}

/** A link to what can be done next, with the looks of a button. */
export function linkButton(href: string, label: Fragment): Html {
  return (
    <a class="button" href={href}>
      {label}
    </a>
  );
}

/** Stands first in a form that Enter in a line must not send. Browsers press the first button, and this one does nothing. */
export const noEnter: Html = <button name="none" disabled hidden></button>;

/** What was wrong with a form, which is read out; nothing if all was well. */
export function formFault(fault: string | undefined): Fragment {
  return (
    fault !== undefined && (
      <p class="fault" role="alert">
        {fault}
      </p>
    )
  );
}
