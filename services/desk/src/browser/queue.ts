import { lookAheadSoon, reloadAhead, reloadGroupSoon, startDecisions, undoEarly } from './decide.js';
import { endUndoInTime, showChange, showChangedSince, showCurrent } from './list.js';
import { followNews } from './news.js';
import { announce, openItem, startPresence, withoutDone } from './server.js';

/** Makes the queue immediate: keys, decisions, the focus after a decision, and news from the server. */
export function startQueue(): void {
  startKeys((key) => {
    if (key === 'u') undoEarly();
  });
  startPresence();
  startDecisions(focusOpen);
  document.addEventListener('htmx:afterSettle', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.id !== 'workspace') return;
    focusOpen();
    lookAheadSoon();
    endUndoInTime();
  });
  focusOpen();
  endUndoInTime();
  lookAheadSoon();
  // The page that was here before may just have said that the item is left.
  announce();
  followNews((news) => {
    // What a colleague changed is no longer as it was loaded.
    if (news.id !== openItem()) reloadAhead(news.id);
    showChangedSince(news.id);
    showChange(news);
    if (news.ended !== '') reloadGroupSoon(news.ended);
  });
}

/** Puts the focus on the open item, or on the list. Removes from the address what was just done. */
function focusOpen(): void {
  const title = document.getElementById('item-title') ?? document.getElementById('list-title');
  // Who is quick has opened a field of the new item already, and types in it.
  const isTyping = document.activeElement?.matches('#workspace :is(textarea, select, input)');
  if (title !== null && isTyping !== true) {
    title.tabIndex = -1;
    document.querySelector<HTMLAnchorElement>('.skip')?.setAttribute('href', `#${title.id}`);
    title.focus({ preventScroll: true });
    (title.closest('header') ?? title).scrollIntoView({ block: 'nearest' });
  }
  showCurrent();
  showKeys();
  history.replaceState(history.state, '', withoutDone(new URL(location.href)));
}

/** What had the focus when a key was pressed. */
let before: Element | null = null;
/** After a decision from a field, what is typed on means nothing until a key is pressed alone. */
let isAsleep = false;
let lastPress = Number.NEGATIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Nobody who types on pauses this long before and after one key. */
const aloneMs = 700;
const fields = 'input, select, textarea, [contenteditable]';

/**
 * Gives each button and link of the page its key.
 *
 * @param onOther gets the keys that no button has now.
 */
function startKeys(onOther: (key: string) => void): void {
  document.addEventListener('keydown', (event) => onKey(event, onOther));
  const box = keySwitch();
  if (box === null) return;
  box.checked = localStorage.getItem(box.name) !== 'off';
  box.addEventListener('change', () => {
    localStorage.setItem(box.name, box.checked ? 'on' : 'off');
    showKeys();
  });
}

/** Shows the keys at their buttons, or takes them away where the person at this browser wants none. */
function showKeys(): void {
  const isOff = keySwitch()?.checked === false;
  document.documentElement.dataset['keys'] = isOff ? 'off' : 'on';
  for (const each of document.querySelectorAll<HTMLElement>('[data-key]')) {
    if (isOff) each.removeAttribute('aria-keyshortcuts');
    else each.setAttribute('aria-keyshortcuts', each.dataset['key'] ?? '');
  }
}

/** Its name has the name of the person. */
function keySwitch(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('#keys input');
}

function onKey(event: KeyboardEvent, onOther: (key: string) => void): void {
  const { target } = event;
  // While a word is composed, each key belongs to it. Some browsers tell the last one only by this number.
  if (event.isComposing || event.keyCode === 229 || !(target instanceof HTMLElement)) return;
  if (event.altKey || event.key === 'Shift') return;
  // The keys that are shown close by themselves, and what was typed behind them stays open.
  if (event.key === 'Escape' && document.querySelector(':popover-open') === null) leave(target);
  const isCommand = event.ctrlKey || event.metaKey;
  const field = target.closest(fields);
  if (field !== null) {
    if (event.key !== 'Enter' || !isCommand) return;
    event.preventDefault();
    isAsleep = true;
    field.closest('form')?.requestSubmit();
    return;
  }
  if (isCommand || keySwitch()?.checked === false) return;
  const key = keyOf(event);
  const isOwn = [...document.querySelectorAll<HTMLElement>('[data-key]')].some((each) => each.dataset['key'] === key);
  const isFirst = event.timeStamp - lastPress > aloneMs;
  lastPress = event.timeStamp;
  clearTimeout(timer);
  if (isOwn) event.preventDefault();
  if (!isAsleep) press(key, event.repeat, onOther);
  else if (isFirst && key !== '') {
    timer = setTimeout(() => {
      isAsleep = false;
      if (document.activeElement?.closest(fields) === null) press(key, false, onOther);
    }, aloneMs);
  }
}

/** The key as the page names it, whatever Caps Lock says. A letter of another script counts by its place. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  const isOfOther = /^[\p{L}\p{N}]$/u.test(key) && !/[\p{Script=Latin}0-9]/u.test(key);
  const name = isOfOther ? code.replace(/^(?:Key|Digit)/, '') : key;
  if (!/^[a-z]$/i.test(name)) return name.length === 1 ? name : '';
  return shiftKey ? '' : name.toLowerCase();
}

function press(key: string, isHeld: boolean, onOther: (key: string) => void): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-key]')].filter(
    (each) =>
      each.dataset['key'] === key &&
      each.checkVisibility() &&
      each.closest('[aria-busy=true], [data-unseen] .decisions') === null,
  );
  // Several lists of reasons may be open, each with its numbers.
  const around = document.activeElement?.closest('details');
  const button = buttons.find((each) => around?.contains(each)) ?? buttons[0];
  if (button === undefined) {
    onOther(key);
    return;
  }
  // A key that is held down must not decide item after item.
  if (isHeld && button.tagName !== 'A') return;
  if (document.activeElement !== button) before = document.activeElement;
  const details = button.parentElement;
  if (button.tagName !== 'SUMMARY' || !(details instanceof HTMLDetailsElement)) {
    button.click();
    return;
  }
  details.open = true;
  // The focus goes to a field, never to a canned reason: the first space of own words would send it.
  const first = details.querySelector<HTMLElement>(':is(textarea, select, input:not([type=hidden])):not([hidden])');
  (first ?? button).focus();
  details.scrollIntoView({ block: 'nearest' });
}

/** Closes what is open around an element. Canned reasons stay open for their numbers, which are text in the field. */
function leave(target: HTMLElement): void {
  const details = target.closest<HTMLDetailsElement>('details[open]');
  if (details === null) {
    if (target.matches(fields)) target.blur();
    return;
  }
  const summary = details.querySelector('summary');
  if (target !== summary && details.querySelector('.canned') !== null) {
    summary?.focus();
    return;
  }
  details.open = false;
  const place = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : summary;
  place?.focus();
}
