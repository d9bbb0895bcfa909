import { paragraph, quoted, tell } from './messages.js';
import type { News } from './news.js';
import { mayLose } from './unsent.js';

/** A decision that the page shows before the server has answered. */
export interface ShownEntry {
  readonly id: string;
  /** For example `approve_and_publish`. */
  readonly decision: string;
  readonly title: string;
  /** For example `Approved and published`. */
  readonly words: string;
}

/** Marks the item in the list, and says above it what is being sent. */
export function showSending({ id, title, words }: ShownEntry): void {
  mark(id, `${words} by you, being sent`);
  const line = paragraph(`${words}: `, quoted(title), '.');
  line.append(' It is being sent.');
  line.dataset['sending'] = id;
  document.getElementById('outcome')?.replaceChildren(line);
}

/** The decision that is being sent. */
export function sendingId(): string | undefined {
  return document.querySelector<HTMLElement>('#outcome [data-sending]')?.dataset['sending'];
}

/** Says that the decision is undone as soon as it is accepted. */
export function showUndoFollows(id: string): void {
  const end = sendingLine(id)?.lastChild;
  if (end) end.textContent = ' It is being sent, and then undone.';
}

/** Says that an undo is being sent. Undefined if it is already. */
export function showUndoing(id: string, title: string): HTMLElement | undefined {
  const outcome = document.getElementById('outcome');
  if (outcome?.querySelector(`[data-undoing="${CSS.escape(id)}"]`)) return undefined;
  const line = paragraph('Undo: ', quoted(title), '.', ' It is being sent.');
  line.dataset['undoing'] = id;
  outcome?.replaceChildren(line);
  return line;
}

/** Says that the server has accepted the decision. */
export function showAccepted({ id, words }: ShownEntry): void {
  mark(id, `${words} by you`);
  sendingLine(id)?.lastChild?.remove();
}

/** Says what became of a decision that the server has not accepted, for example `was refused: …`. */
export function showRefused({ id, title }: ShownEntry, why: string, goBack: (() => void) | undefined): void {
  unmark(id);
  sendingLine(id)?.remove();
  const line = paragraph('Your decision on ', quoted(title), ` ${why} `);
  line.dataset['refused'] = id;
  if (goBack !== undefined) {
    const button = document.createElement('button');
    button.textContent = 'Back to it';
    button.addEventListener('click', () => {
      if (!mayLose()) return;
      line.remove();
      goBack();
    });
    line.append(button);
  }
  tell(line);
}

/** Says that an item changed after its decision was refused: the reason may be gone. */
export function showChangedSince(id: string): void {
  for (const line of document.querySelectorAll(`#messages [data-refused="${CSS.escape(id)}"]`)) {
    if (line.querySelector('.since') !== null) continue;
    const since = document.createElement('span');
    since.className = 'since';
    since.textContent = 'It has changed since then. ';
    line.querySelector('button')?.before(since);
  }
}

/** Says that no decision of this page can be undone now. */
export function showNothingToUndo(): void {
  tell(paragraph('There is nothing to undo here. Open an item that is not yet in effect to undo its decision.'));
}

/** Shows in the list what somebody did with an item since. Says above it what ended its decision before the time. */
export function showChange({ id, to, actor, isListed, ended }: News): void {
  const state = to.replaceAll('_', ' ');
  const waits = to === 'undone' || to === 'pending_review';
  // A form that is being sent gets its answer from htmx.
  const undo = document.querySelector(`#outcome form[action*="${CSS.escape(id)}/undo"]:not(.htmx-request)`);
  if (undo !== null && ended !== '') showEnded(ended);
  const entry = entryOf(id);
  const own = entry?.querySelector('.sent-by-you') !== null;
  if (entry === null || !isListed || (own && to === 'decided')) return;
  unmark(id);
  entry.querySelector('.held-by')?.remove();
  mark(id, to === 'pending_review' ? 'new text' : `${state} by ${own && ended === '' ? 'you' : actor}`);
  entry.classList.toggle('held', !waits);
}

/** Says what ended the decision above the list, with the title that stands there. */
export function showEnded(ended: string): void {
  const title = document.querySelector('#outcome q');
  document.getElementById('outcome')?.replaceChildren(paragraph(...(title ? [title, ': '] : []), ended));
}

/** Marks the item in a new list as it is marked in the list before. */
export function copyMark(id: string, before: ParentNode, list: ParentNode): void {
  const text = entryOf(id, before)?.querySelector('.sent-by-you')?.textContent;
  if (typeof text === 'string') mark(id, text, list);
}

/** The line that says what is being sent, unless something else was done since. */
function sendingLine(id: string): Element | null {
  return document.querySelector(`#outcome [data-sending="${CSS.escape(id)}"]`);
}

function mark(id: string, text: string, list: ParentNode = document): void {
  const entry = entryOf(id, list);
  if (entry === null) return;
  entry.classList.add('held');
  const line = entry.querySelector('.sent-by-you') ?? document.createElement('p');
  line.className = 'small sent-by-you';
  line.textContent = text;
  entry.append(line);
}

/** Takes the mark of an item away. */
export function unmark(id: string, list: ParentNode = document): void {
  const entry = entryOf(id, list);
  entry?.classList.remove('held');
  entry?.querySelector('.sent-by-you')?.remove();
}

function entryOf(id: string, list: ParentNode = document): Element | null {
  return list.querySelector(`li a[data-item="${CSS.escape(id)}"]`)?.closest('li') ?? null;
}

/** Marks the entry of the open item in the list. */
export function markCurrent(open: string | undefined): void {
  document.querySelector('.list [aria-current]')?.removeAttribute('aria-current');
  if (open === undefined) return;
  document.querySelector(`.list a[data-item="${CSS.escape(open)}"]`)?.setAttribute('aria-current', 'true');
}

/** Brings the entry of the open item into view inside the list. The page itself does not move. */
export function showCurrent(): void {
  const entry = document.querySelector('.list [aria-current]')?.closest('li');
  if (!entry) return;
  for (const scroller of [entry.closest('ol'), entry.closest('.list')]) {
    if (scroller === null || scroller.scrollHeight <= scroller.clientHeight) continue;
    const [inner, outer] = [entry.getBoundingClientRect(), scroller.getBoundingClientRect()];
    if (inner.top < outer.top) scroller.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) scroller.scrollTop += inner.bottom - outer.bottom;
  }
}

/** Puts a newer list in place of this one, unless somebody uses it now. Returns whether it did. */
export function replaceList(before: HTMLElement, list: HTMLElement): boolean {
  if (before.matches(':has(:focus:not(#list-title))')) return false;
  const { scrollTop } = before;
  before.replaceWith(list);
  list.scrollTop = scrollTop;
  showCurrent();
  return true;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says in how many seconds the last decision takes effect, and takes its undo away then. */
export function endUndoInTime(): void {
  clearTimeout(timer);
  const time = document.querySelector<HTMLElement>('#outcome [data-undo-ms]');
  if (time === null) return;
  const ms = Number(time.dataset['undoMs']);
  time.textContent = `It takes effect in ${Math.ceil(ms / 1_000)} seconds.`;
  timer = setTimeout(() => {
    if (!time.isConnected) return;
    time.textContent = 'It can no longer be undone.';
    document.querySelector('#outcome form')?.remove();
  }, ms);
}
