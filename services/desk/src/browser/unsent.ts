/** The forms whose words are not typed again quickly. The server marks those that hold what it has not stored. */
const forms = 'form[method=post]:has(textarea), form[data-unsent]';
const question = 'What you typed here is not sent yet. Go on without it?';

/** The form that is being sent, so that its words are not lost. */
let sent: EventTarget | null = null;
let isUnasked = false;

/** Asks before typed words that are not sent are lost, with the page or with a part that htmx replaces. */
export function guardUnsent(): void {
  addEventListener('beforeunload', (event) => {
    if (!isUnasked && unsentForm(sent) !== undefined) event.preventDefault();
  });
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (event.target instanceof Element && !mayLose(event.target)) event.preventDefault();
    else sent = event.target;
  });
  document.addEventListener('htmx:confirm', (event) => {
    const { elt } = (event as CustomEvent<{ elt: Element }>).detail;
    if (elt.closest('[hx-boost]') !== null && !mayLose(elt)) event.preventDefault();
  });
  // Who types on or comes back is asked again.
  for (const type of ['input', 'pageshow']) addEventListener(type, () => guardAgain());
}

/** Asks whether what was typed may be lost, except in the form that is sent. Leads back to it if not. */
export function mayLose(except?: Element): boolean {
  const form = unsentForm(except ?? null);
  if (form === undefined) return true;
  if (confirm(question)) {
    leaveUnasked();
    return true;
  }
  const details = form.closest('details');
  if (details !== null) details.open = true;
  typedField(form)?.focus();
  return false;
}

/** Whether something is typed that is not sent. */
export function hasUnsent(): boolean {
  return unsentForm(null) !== undefined;
}

/** The page is left on purpose. */
export function leaveUnasked(): void {
  isUnasked = true;
}

function guardAgain(): void {
  sent = null;
  isUnasked = false;
}

function unsentForm(except: EventTarget | null): HTMLFormElement | undefined {
  return [...document.querySelectorAll<HTMLFormElement>(forms)].find(
    (form) => form !== except && (form.dataset['unsent'] !== undefined || typedField(form) !== undefined),
  );
}

/** The first field in which somebody typed. */
function typedField(form: HTMLFormElement): HTMLInputElement | HTMLTextAreaElement | undefined {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input[type=text]');
  return [...fields].find(({ value, defaultValue }) => value !== defaultValue);
}

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
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
    box.checked = fields.some(([name, value]) => name === box.name && value === box.value);
  }
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name);
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (name !== '_csrf' && (isText || field instanceof HTMLSelectElement)) field.value = value;
  }
  form.dataset['unsent'] = '';
  const messages = document.getElementById('messages');
  if (messages) messages.innerHTML = '<p>What you typed here is back. It is not saved yet.</p>';
}

/** Sends a form of htmx as a usual form if its session has ended. The page that answers keeps what was typed. */
export function sendLateForms(): void {
  document.addEventListener('htmx:responseError', (event) => {
    const { xhr, requestConfig } = (event as CustomEvent<Failed>).detail;
    if (xhr.getResponseHeader('desk-send-as-form') === null) return;
    sendAsForm(requestConfig.path, requestConfig.formData);
  });
}

/** Sends fields as a usual form without scripts, so that the answer replaces the page. */
export function sendAsForm(path: string, fields: Iterable<[string, FormDataEntryValue]>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = path;
  for (const [name, value] of fields) {
    const field = document.createElement('textarea');
    field.name = name;
    field.value = String(value);
    form.append(field);
  }
  form.hidden = true;
  document.body.append(form);
  leaveUnasked();
  form.submit();
}

/** What htmx tells about a request that failed. */
interface Failed {
  readonly xhr: XMLHttpRequest;
  readonly requestConfig: { readonly path: string; readonly formData: FormData };
}
