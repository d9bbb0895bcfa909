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
