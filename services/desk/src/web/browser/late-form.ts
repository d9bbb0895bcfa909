import { leaveUnasked } from './unsent.js';

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
