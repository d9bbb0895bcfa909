import { sendAsForm } from './late-form.js';

/** The body of a request that outlives its page may have 64 KiB. */
const maxKeptBytes = 60_000;

/** Sends the form of a decision. Returns what became of it; undefined if the server has accepted it. */
export async function sendDecision(form: HTMLFormElement, button: HTMLElement | null): Promise<string | undefined> {
  const fields = [...new FormData(form, button)].map(([name, value]): [string, string] => [name, String(value)]);
  const body = new URLSearchParams(fields);
  try {
    const response = await fetch(form.action, {
      ...{ method: 'POST', body, redirect: 'manual', keepalive: body.toString().length < maxKeptBytes },
      headers: { 'hx-request': 'true' },
    });
    // The redirect to the next item says that it is decided.
    if (response.type === 'opaqueredirect') return undefined;
    // The session has ended. The page that answers keeps what was typed.
    if (response.headers.has('desk-send-as-form')) sendAsForm(form.action, fields);
    const answer = new DOMParser().parseFromString(await response.text(), 'text/html');
    return `was refused: ${answer.body.textContent || `error ${response.status}`}`;
  } catch {
    return 'got no answer. Send it again; it counts only once.';
  }
}
