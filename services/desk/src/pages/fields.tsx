import type { Attributes, Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { readTime } from '../base/time.js';
import { newSecret } from './staff.js';
import { siteChoices } from './values.js';

/** A field of a form. Its other attributes go to the control. */
interface Field extends Attributes {
  readonly name: string;
  readonly label: string;
  /** Differs from the name if the page has several fields of that name. */
  readonly id?: string;
  readonly hint?: Fragment;
  /** What was wrong with the value, as a sentence. */
  readonly fault?: string | undefined;
}

interface TextField extends Field {
  readonly value?: string;
}

/**
 * How many characters a field may have. Browsers count some characters twice, so they stop at the double, and the script
 * and the service count as the protocol does.
 */
export function atMost(characters: number): Attributes & Readonly<Record<'data-most', number>> {
  return { maxlength: 2 * characters, 'data-most': characters };
}

/** A line of text with its label above it. Browsers offer no earlier values unless it asks for them. */
export function textField(field: TextField): Html {
  return labelled(field, (control) => (
    <input {...control} dir="auto" type={control.type ?? 'text'} autocomplete={control.autocomplete ?? 'off'} />
  ));
}

/** The line for a reason, which the service bounds. */
export function reasonField(field: Partial<TextField> = {}): Html {
  return textField({ name: 'reason', label: 'Reason', maxlength: bounds.reason.max, ...field });
}

/** A time in UTC with the picker of the browser. What is no time stays as it was typed. */
export function timeField({ label, value = '', ...field }: TextField): Html {
  const time = readTime(value);
  const type = time === undefined && value.trim() !== '' ? 'text' : 'datetime-local';
  // The picker has no zone, and shows seconds only if there are any.
  const shown = time?.toISOString().replace(/(?:(?::00)?\.000)?Z$/, '') ?? value;
  return textField({ ...field, type, step: 'any', label: `${label} (UTC)`, value: shown });
}

/** A text of several lines with its label above it. */
export function areaField({ value = '', ...field }: TextField): Html {
  // A browser removes the first line break of a text area.
  return labelled(field, (control) => (
    <textarea {...control} dir="auto">
      {value.startsWith('\n') ? `\n${value}` : value}
    </textarea>
  ));
}

/** A value of a select field, and its words if they differ. */
export type Choice = string | readonly [value: string, words: string];

interface SelectField extends TextField {
  readonly choices: readonly Choice[];
}

/** A list of choices with its label above it. */
export function selectField({ value, choices, ...field }: SelectField): Html {
  return labelled(field, (control) => (
    <select {...control}>
      {choices.map((choice) => {
        const [sent, words] = typeof choice === 'string' ? [choice, choice] : choice;
        return (
          <option value={sent} selected={sent === value}>
            {words}
          </option>
        );
      })}
    </select>
  ));
}

/** A choice of a site; `none` stands for no choice. */
export function siteField(value: string, none?: string, fault?: string): Html {
  const choices = none === undefined ? siteChoices : [['', none] as const, ...siteChoices];
  return selectField({ name: 'site', label: 'Site', value, fault, choices });
}

/** A box to tick, before its label. `faultId` is the fault of its group. */
export function checkField({
  label,
  value = 'yes',
  faultId,
  ...control
}: Pick<TextField, 'name' | 'label' | 'value' | 'checked' | 'required'> & { readonly faultId?: string | false }): Html {
  return (
    <label class="check">
      <input type="checkbox" value={value} {...control} aria-describedby={faultId} aria-invalid={faultId && 'true'} />{' '}
      {label}
    </label>
  );
}

/**
 * Says what the words of a form were read at: a revision, or the version of something without revisions.
 * A browser that puts typed words back puts a choice back too, but never a hidden field (tested in test/browser).
 */
export function guardField(name: string, value: number | string): Html {
  // What is no choice any more comes back as the first one.
  const choices: readonly (number | string)[] =
    typeof value === 'number'
      ? Array.from({ length: Math.min(value + 1, 50) }, (_, at) => value - at).reverse()
      : [...new Set(['', value])];
  return (
    <select name={name} hidden>
      {choices.map((each) => (
        <option value={String(each)} selected={each === value}>
          {each || 'none'}
        </option>
      ))}
    </select>
  );
}

function labelled(field: Field, input: (control: Attributes) => Html) {
  const { label, hint, fault, name, id = name, maxlength, ...more } = field;
  const notes = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  const control: Attributes & Readonly<Record<`aria-${string}`, string>> = {
    id,
    name,
    ...more,
    ...(maxlength !== undefined && atMost(Number(maxlength))),
    ...(notes !== '' && { 'aria-describedby': notes }),
    ...(fault !== undefined && { 'aria-invalid': 'true' }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {input(control)}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A form that selects what a page shows. Its fields stand in the address. */
export function filterForm(action: string, button: string, ...fields: readonly Html[]): Html {
  return (
    <form class="filters" method="get" action={action}>
      {fields}
      <button>{button}</button>
    </form>
  );
}

/** The button of what a form is for. */
export function mainButton(label: Fragment): Html {
  return <button class="main">{label}</button>;
}

/** A button of a form that has several; `act` says which of them was pressed. */
export function actButton(act: string, label: Fragment, attributes: Attributes = {}): Html {
  return (
    <button {...attributes} name="act" value={act}>
      {label}
    </button>
  );
}

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

/** Stands for the CSRF token until a page is sent. It is as random as a token, so no stranger can write it into a page. */
export const csrfMark = newSecret();

/** The field that every form must send, and what else it sends unseen. */
export function csrfField(hidden: Readonly<Record<string, string | number>> = {}): Html {
  return (
    <>
      {Object.entries({ _csrf: csrfMark, ...hidden }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

interface FormParts {
  readonly action: string;
  readonly button: string;
  /** What the button does, for people who hear it without the row around it. */
  readonly label?: string;
  /** Whether a reason must be given. */
  readonly isReasonRequired?: boolean;
  readonly children?: Fragment;
}

/** A form in one line of a table: a reason and a button. */
export function reasonForm({ action, button, label = button, isReasonRequired, children }: FormParts): Html {
  return (
    <form class="inline" method="post" action={action}>
      {csrfField()}
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
  readonly title: string;
  readonly about: Fragment;
  readonly button: string;
  readonly children: Fragment;
}

/** A form that stands alone, below its heading. */
export function formBlock({ action, title, about, button, children }: BlockParts): Html {
  return (
    <section>
      <h3>{title}</h3>
      <p class="soft">{about}</p>
      <form class="fields" method="post" action={action}>
        {csrfField()}
        {children}
        <p>
          <button>{button}</button>
        </p>
      </form>
    </section>
  );
}
