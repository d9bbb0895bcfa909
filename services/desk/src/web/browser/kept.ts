import { typedField } from './unsent.js';

/** Keeps what is typed into long forms in this tab, so that it is back after a reload. */
export function keepTyped(): void {
  for (const guard of document.querySelectorAll<HTMLSelectElement>('select[hidden]')) renewUntyped(guard);
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isAgain = entry?.type === 'reload' || entry?.type === 'back_forward';
  for (const form of document.querySelectorAll<HTMLFormElement>('form.edit:has(textarea)')) {
    const key = `typed ${location.pathname}${location.search} ${form.getAttribute('action')}`;
    const kept = sessionStorage.getItem(key);
    // A form that the server sent back has newer words.
    if (form.dataset['unsent'] === undefined) {
      if (kept !== null && isAgain) putBack(form, JSON.parse(kept));
      else sessionStorage.removeItem(key);
    }
    form.addEventListener('input', () => sessionStorage.setItem(key, JSON.stringify([...new FormData(form)])));
    // Who comes back from the preview goes on there.
    form.addEventListener('submit', ({ submitter }) => {
      if (!submitter?.matches('[value=preview]')) sessionStorage.removeItem(key);
    });
  }
  // The next person at this browser gets nothing.
  document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => sessionStorage.clear());
}

/** Where nothing typed came back, the guard of an earlier visit has nothing to guard. */
function renewUntyped({ form, options }: HTMLSelectElement): void {
  if (form === null || typedField(form) !== undefined) return;
  for (const option of options) if (option.defaultSelected) option.selected = true;
}

/** The revision that the text was typed for comes back too, so that the change of a colleague is noticed. */
function putBack(form: HTMLFormElement, fields: readonly [string, string][]): void {
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (name !== '_csrf' && (isText || field instanceof HTMLSelectElement)) field.value = value;
  }
  form.dataset['unsent'] = '';
  const messages = document.getElementById('messages');
  if (messages) messages.innerHTML = '<p>What you typed here is back. It is not saved yet.</p>';
}
