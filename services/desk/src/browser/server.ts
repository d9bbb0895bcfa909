import { sendAsForm } from './unsent.js';

/** The body of a request that outlives its page may have 64 KiB. */
const maxKeptBytes = 60_000;
/** The server answers earlier, and says which part of it does not. */
const answerMs = 15_000;

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

/** A page of the queue that is loaded and not shown yet. */
export interface Ahead {
  readonly path: string;
  readonly title: string;
  readonly list: HTMLElement;
  /** The pane of the open item. */
  readonly pane: HTMLElement;
  /** What was just done, and how to undo it. */
  readonly outcome: Element;
  /** The open item; undefined if nothing waits. */
  readonly id: string | undefined;
}

/** Loads the page of the queue for this path. Undefined if there is none now. */
export async function loadPage(path: string): Promise<Ahead | undefined> {
  try {
    const response = await fetch(path, { headers: { 'hx-request': 'true' }, signal: AbortSignal.timeout(answerMs) });
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const { list, pane } = partsOf(page);
    const outcome = page.getElementById('outcome');
    if (list === null || pane === null || outcome === null) return undefined;
    const own = response.headers.get('hx-push-url') ?? withoutDone(new URL(response.url));
    return { path: own, title: page.title, list, pane, outcome, id: openItem(page) };
  } catch {
    return undefined;
  }
}

/** The list of a page, and the pane beside it. */
export function partsOf(page: Document): Record<'list' | 'pane', HTMLElement | null> {
  return { list: page.querySelector('#workspace > .list'), pane: page.querySelector('#workspace > .item') };
}

/** The id of the open item of a page. */
export function openItem(page: ParentNode = document): string | undefined {
  return page.querySelector<HTMLElement>('.item[data-item]')?.dataset['item'];
}

/** The path of an address, without what was just done. */
export function withoutDone({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  for (const what of ['done', 'id', 'undone', 'left']) query.delete(what);
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}

/** Asks again each second until somebody answers, or until an undo is too late. */
export async function insist<Answer>(
  ask: () => Promise<Answer | undefined>,
  onSilence?: () => void,
): Promise<Answer | undefined> {
  const { undoSeconds } = document.getElementById('desk-queue')?.dataset ?? {};
  const until = performance.now() + Number(undoSeconds) * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || !(performance.now() < until)) return answer;
    onSilence?.();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Presence lapses after a minute, so the page says again what is open. */
const againMs = 40_000;

let open: readonly string[] = [];

/** Tells colleagues which items are open or next, until the moderator leaves them. */
export function startPresence(): void {
  setInterval(() => {
    if (!document.hidden) announce();
  }, againMs);
  addEventListener('pagehide', () => setOpen([]));
}

/**
 * Says what is open now. What was open before becomes free for colleagues; the server has announced what is new.
 *
 * @param decided needs no colleague any more, so nothing is said about it.
 */
export function setOpen(ids: readonly (string | undefined)[], decided?: string): void {
  const now = ids.filter((id) => id !== undefined);
  for (const id of open) if (!now.includes(id) && id !== decided) send(id, 'presence/end');
  open = now;
}

/** Says again what is open. */
export function announce(): void {
  for (const id of open) send(id, 'presence');
}

function send(id: string, what: string): void {
  const headers = JSON.parse(document.body.getAttribute('hx-headers') ?? '{}') as Record<string, string>;
  // The request outlives the page.
  fetch(`/queue/${id}/${what}`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}
