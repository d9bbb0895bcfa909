/** Presence lapses after a minute, so the page says again what is open. */
const againMs = 40_000;

let announced: readonly string[] = [];

/** Tells colleagues which items are open, until the moderator leaves them. */
export function startPresence(): void {
  // A page that was loaded again has just said that the item is left.
  for (const id of announced) send(id, 'presence');
  setInterval(() => {
    if (!document.hidden) for (const id of announced) send(id, 'presence');
  }, againMs);
  addEventListener('pagehide', () => setOpen([]));
}

/** Says what is open now. What was open before becomes free for colleagues. The server has announced what is new. */
export function setOpen(ids: readonly string[]): void {
  for (const id of announced) if (!ids.includes(id)) send(id, 'presence/end');
  announced = ids;
}

function send(id: string, what: string): void {
  const headers = JSON.parse(document.body.getAttribute('hx-headers') ?? '{}') as Record<string, string>;
  // The request outlives the page.
  fetch(`/queue/${id}/${what}`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}
