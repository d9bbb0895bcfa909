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
export function typedField(form: HTMLFormElement): HTMLInputElement | HTMLTextAreaElement | undefined {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input[type=text]');
  return [...fields].find(({ value, defaultValue }) => value !== defaultValue);
}
