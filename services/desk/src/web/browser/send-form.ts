import { sendAsForm } from './late-form.js';

/** The body of a request that outlives its page may have 64 KiB. */
const maxKeptBytes = 60_000;
/** The server answers earlier, and says which part of it does not. */
export const answerMs = 15_000;

/** A key by which the services know a form that is sent again because its answer was lost. */
export function newFormKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** Sends a form. Returns why it was refused, `''` if it was accepted, or undefined if no answer came. */
export async function sendForm(
  form: HTMLFormElement,
  button: HTMLElement | null,
  key: string,
): Promise<string | undefined> {
  const fields = [...new FormData(form, button)].map(([name, value]): [string, string] => [name, String(value)]);
  const body = new URLSearchParams(fields);
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      redirect: 'manual',
      keepalive: body.toString().length < maxKeptBytes,
      headers: { 'hx-request': 'true', 'x-request-id': key },
      signal: AbortSignal.timeout(answerMs),
    });
    // The redirect to the next page says that it is stored.
    if (response.type === 'opaqueredirect') return '';
    // A proxy or the server says so while a part does not answer.
    if (response.status > 500) return undefined;
    // The session has ended. The page that answers keeps what was typed.
    if (response.headers.has('desk-send-as-form')) sendAsForm(form.action, fields);
    const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
    return answer.body.textContent || `error ${response.status}`;
  } catch {
    return undefined;
  }
}
