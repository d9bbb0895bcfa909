/** Keeps what is typed into long forms in this tab, so that it is back after a reload. */
export function keepTyped(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isAgain = entry?.type === 'reload' || entry?.type === 'back_forward';
  for (const form of document.querySelectorAll<HTMLFormElement>('form.edit:has(textarea)')) {
    const key = `typed ${location.pathname}${location.search} ${form.getAttribute('action')}`;
    const kept = sessionStorage.getItem(key);
    // A form that the server sent back has newer words.
    if (kept !== null && isAgain && form.dataset['unsent'] === undefined) putBack(form, JSON.parse(kept));
    else sessionStorage.removeItem(key);
    form.addEventListener('input', () => sessionStorage.setItem(key, JSON.stringify([...new FormData(form)])));
    form.addEventListener('submit', () => sessionStorage.removeItem(key));
  }
  // The next person at this browser gets nothing.
  document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => sessionStorage.clear());
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
