import type { Fragment, Html } from '@knowledge/runtime/html';

/** A select with its label. The first choice has an empty value. */
export function selectField(
  name: string,
  label: string,
  chosen: string,
  choices: readonly (readonly [value: string, words: string])[],
): Html {
  return (
    <p class="field">
      <label for={`f-${name}`}>{label}</label>
      <select id={`f-${name}`} name={name}>
        {choices.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}

/** A text field with its label. */
export function textField(name: string, label: string, value: string, maxlength: number): Html {
  return (
    <p class="field">
      <label for={`f-${name}`}>{label}</label>
      <input id={`f-${name}`} name={name} value={value} maxlength={maxlength} autocomplete="off" />
    </p>
  );
}

/** The key that does the same, for people who see it. Screen readers hear it from `aria-keyshortcuts`. */
export function keyHint(key: string): Html {
  return (
    <span class="key" aria-hidden="true">
      {key}
    </span>
  );
}

/** A term and its value in a list of facts; nothing without a value. */
export function fact(term: string, value: Fragment | null): Fragment {
  if (value === null || value === undefined || value === '' || value === false) return undefined;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A word of the protocol for people: `pending_review` is `pending review`. */
export function words(text: string): string {
  return text.replaceAll('_', ' ');
}
