import { setOpen, startPresence } from './presence.js';

/** Makes the queue immediate: keys, the focus after a decision, and news from the server. */
export function startQueue(): void {
  document.addEventListener('keydown', onKey);
  document.addEventListener('htmx:afterSettle', ({ target }) => {
    if (target instanceof HTMLElement && target.id === 'workspace') afterChange();
  });
  if (document.getElementById('workspace') !== null) afterChange();
  followNews();
  startPresence();
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.altKey || event.metaKey || !(target instanceof HTMLElement)) return;
  const field = target.closest('input, select, textarea, [contenteditable]');
  if (field !== null) {
    inField(event, field);
    return;
  }
  if (event.ctrlKey) return;
  const button = [...document.querySelectorAll<HTMLElement>('[data-key]')].find(
    (each) => each.dataset['key'] === key && each.checkVisibility(),
  );
  if (button === undefined) return;
  event.preventDefault();
  button.click();
  const details = button.parentElement;
  if (button.tagName !== 'SUMMARY' || !(details instanceof HTMLDetailsElement)) return;
  // The first canned reason needs one more key; without one the moderator types.
  if (details.open)
    details.querySelector<HTMLElement>('[data-first], textarea, select, input:not([type=hidden])')?.focus();
  else button.focus();
}

function inField(event: KeyboardEvent, field: Element): void {
  if (event.key === 'Enter' && event.ctrlKey) {
    event.preventDefault();
    field.closest('form')?.requestSubmit();
  }
  if (event.key !== 'Escape') return;
  const details = field.closest('details');
  if (details === null) return;
  details.open = false;
  details.querySelector('summary')?.focus();
}

/** Puts the focus on the open item, or on the list. Removes from the address what was just done. */
function afterChange(): void {
  const title = document.getElementById('item-title') ?? document.getElementById('list-title');
  if (title !== null) {
    title.tabIndex = -1;
    title.focus();
  }
  const id = document.querySelector<HTMLElement>('.item[data-item]')?.dataset['item'];
  setOpen(id === undefined ? [] : [id]);
  document.querySelector('.list [aria-current]')?.scrollIntoView({ block: 'nearest' });
  const url = new URL(location.href);
  url.searchParams.delete('decided');
  url.searchParams.delete('undone');
  history.replaceState(history.state, '', url);
}

interface News {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string;
}

/** Follows what happens in the queue while somebody looks at it. A hidden page needs no connection. */
function followNews(): void {
  let source: EventSource | undefined;
  let arrived = 0;
  const follow = (): void => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource('/queue/events');
    source.addEventListener('message', ({ data }) => {
      const news = JSON.parse(data as string) as News;
      if (news.from === '') arrived++;
      show(news, arrived);
    });
    source.addEventListener('bye', () => {
      source?.close();
      const ended = document.getElementById('session-ended');
      if (ended !== null) ended.hidden = false;
    });
  };
  document.addEventListener('visibilitychange', follow);
  document.addEventListener('htmx:afterSettle', () => {
    arrived = 0;
  });
  follow();
}

function show({ id, from, actor }: News, arrived: number): void {
  const line = document.getElementById('news');
  const link = line?.querySelector('a');
  if (from === '' && line && link) {
    link.textContent = `${arrived} new`;
    line.hidden = false;
  }
  const item = document.querySelector<HTMLElement>('.item[data-item]');
  const notice = document.getElementById('changed');
  if (from !== '' && item?.dataset['item'] === id && notice !== null) {
    notice.hidden = false;
    const who = notice.querySelector('bdi');
    if (who !== null) who.textContent = actor;
  }
}
