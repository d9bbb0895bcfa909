import {
  copyMark,
  endUndoInTime,
  markCurrent,
  replaceList,
  type ShownEntry,
  sendingId,
  showAccepted,
  showEnded,
  showNothingToUndo,
  showRefused,
  showSending,
  showUndoFollows,
  showUndoing,
  unmark,
} from './list.js';
import { paragraph, quoted, tell } from './messages.js';
import { type Ahead, announce, insist, loadPage, newFormKey, openItem, partsOf, sendForm, setOpen } from './server.js';
import { hasUnsent, leaveUnasked, mayLose } from './unsent.js';

declare const htmx: { process(element: Element): void };

/** Who only passes by an item needs no next one. */
const soonMs = 300;
/** A second press of a key within this time was meant for the item before. */
const unseenMs = 400;

let onShown: () => void;
let ahead: Promise<Ahead | undefined> | undefined;
let loaded: Ahead | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The decision that is undone as soon as the server has accepted it. */
let unwanted: string | undefined;

/**
 * Shows each decision at once: the next item is loaded before, and the answer of the server comes later.
 *
 * @param shown is called when another item is open.
 */
export function startDecisions(shown: () => void): void {
  onShown = shown;
  document.addEventListener('submit', onSubmit, true);
}

/** Loads the page after the open item a little later. What was loaded before is forgotten. */
export function lookAheadSoon(): void {
  forgetAhead();
  if (openItem() !== undefined) timer = setTimeout(() => void lookAhead(Promise.resolve(undefined)), soonMs);
}

/** Loads the next page again if this item is open there. */
export function reloadAhead(changed: string): void {
  if (loaded?.id === changed) void lookAhead(Promise.resolve(undefined));
}

/** One undo of a colleague changes each text of a group. */
const groupMs = 300;
const groupUndo = '#outcome form[data-decision=group]';
let groupTimer: ReturnType<typeof setTimeout> | undefined;

/** Says anew how many texts of a group are held, after one of some decision no longer is. */
export function reloadGroupSoon(ended: string): void {
  clearTimeout(groupTimer);
  if (document.querySelector(groupUndo) !== null) groupTimer = setTimeout(() => void reloadGroup(ended), groupMs);
}

async function reloadGroup(ended: string): Promise<void> {
  const page = await loadPage(location.pathname + location.search);
  const before = document.querySelector(groupUndo)?.parentElement;
  if (page === undefined || !before) return;
  const now = page.outcome.querySelector('form[data-decision=group]')?.parentElement;
  if (!now) showEnded(ended);
  else if (now.querySelector('q')?.textContent !== before.querySelector('q')?.textContent) showUndo(page);
}

function onSubmit(event: SubmitEvent): void {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement)) return;
  const pane = form.closest<HTMLElement>('.item[data-item]');
  const { pathname } = new URL(form.action);
  const isUndo = pathname.endsWith('/undo');
  if (!isUndo && (pane === null || !pathname.endsWith('/decision'))) return;
  event.preventDefault();
  event.stopPropagation();
  if (isUndo || pane === null) return void undo(form);
  // A second press while the next item is still loading decides nothing more.
  if (pane.ariaBusy === 'true' || pane.dataset['unseen'] !== undefined) return;
  // A slip of a key must not decide in place of the words that are being typed.
  if (!mayLose(form)) return;
  pane.ariaBusy = 'true';
  void decide(form, submitter, pane);
}

/** Who wants the undo before the server has answered gets it then. */
export function undoEarly(): void {
  if (document.querySelector('[data-undoing]') !== null) return;
  const sending = sendingId();
  if (sending === undefined) {
    showNothingToUndo();
    return;
  }
  unwanted = sending;
  showUndoFollows(sending);
}

async function decide(form: HTMLFormElement, button: HTMLElement | null, pane: HTMLElement): Promise<void> {
  const decision = decisionOf(form, pane);
  if (unwanted === decision.id) unwanted = undefined;
  const goBack = wayBackTo(pane);
  const answer = sendForm(form, button, newFormKey()).then((why) => failureOf(decision, why));
  showSending(decision);
  const loaded = ahead ?? loadPage(nextPath(undefined));
  // What is refused or lost is said at once, though the next page may take long.
  const next = await Promise.race([loaded, answer.then((refusal) => (refusal === undefined ? loaded : undefined))]);
  pane.ariaBusy = null;
  // The moderator may have opened another item while the next one was still loading.
  if (next === undefined || !pane.isConnected) {
    const refusal = await answer;
    if (refusal !== undefined) showRefused(decision, refusal, pane.isConnected ? undefined : goBack);
    else if (unwanted === decision.id) undoUnwanted(decision, undoIn(await loadPage(nextPath(decision))));
    else if (pane.isConnected) {
      leaveUnasked();
      location.assign(nextPath(decision));
    } else showAccepted(decision);
    return;
  }
  next.pane.dataset['unseen'] = '';
  setTimeout(() => delete next.pane.dataset['unseen'], unseenMs);
  show(next, decision.id);
  showSending(decision);
  const loading = lookAhead(answer.then((refusal) => (refusal === undefined ? decision : undefined)));
  const refusal = await answer;
  if (refusal === undefined) showAccepted(decision);
  else showRefused(decision, refusal, goBack);
  const page = await loading;
  const undoForm = undoIn(page);
  if (page !== undefined && ahead === loading) showUndo(page);
  if (refusal === undefined && unwanted === decision.id) undoUnwanted(decision, undoForm);
}

/** The undo of the last decision, until the page is shown. */
const undoIn = (page: Ahead | undefined) => page?.outcome.querySelector('form');

function undoUnwanted({ title }: ShownEntry, form: HTMLFormElement | null | undefined): void {
  unwanted = undefined;
  if (form) void undo(form);
  else tellNotUndone(title);
}

function failureOf({ id }: ShownEntry, why: string | undefined): string | undefined {
  if (why === '') return undefined;
  if (why !== undefined) return `was refused: ${why}`;
  if (unwanted !== id) return 'got no answer. Send it again; it counts only once.';
  return 'got no answer, so it is not undone either. Open it to see what holds.';
}

/** Sends an undo until somebody answers, or its time is over. */
async function undo(form: HTMLFormElement): Promise<void> {
  const url = new URL(form.action);
  const [, , id = ''] = url.pathname.split('/');
  const { decision = '', texts = '{}' } = form.dataset;
  const written = JSON.parse(texts) as Readonly<Record<string, string>>;
  const group = decision === 'group' && form.querySelector<HTMLInputElement>('[name=count]')?.value;
  const { pane } = partsOf(document);
  const around = form.closest('.item') ?? form.parentElement;
  const title = around?.querySelector('#item-title, q')?.textContent ?? '';
  const line = showUndoing(id, title);
  if (line === undefined) return;
  const key = newFormKey();
  const why = await insist(
    () => sendForm(form, null, key),
    () => {
      line.lastChild?.replaceWith(' There is no answer yet. It is sent again until its time is over.');
    },
  );
  line.remove();
  if (why === undefined) return tellNotUndone(title);
  if (why !== '') return tell(paragraph('The undo of ', quoted(title), ` was refused: ${why}`));
  url.pathname = group ? '/queue' : `/queue/${id}`;
  const page = await loadPage(group ? withDone(url, { undone: group }) : withDone(url, { done: 'undone', id }));
  // The moderator may have gone on meanwhile.
  if (page === undefined || pane?.isConnected !== true || hasUnsent()) {
    return tell(paragraph('Undone: ', quoted(title), '.'));
  }
  show(page, undefined);
  showUndo(page);
  lookAheadSoon();
  if (group) return tell(paragraph('The reason that you gave: ', quoted(written['reason'] ?? '')));
  for (const [name, words] of Object.entries(written)) {
    const field = page.pane.querySelector<HTMLTextAreaElement>(`#${decision}-${name}`);
    if (field === null) continue;
    field.value = words;
    // A canned reason may be lost without a question.
    if (page.pane.querySelector(`.canned button[value="${CSS.escape(words)}"]`)) field.defaultValue = words;
    field.closest('details')?.setAttribute('open', '');
  }
}

function tellNotUndone(title: string): void {
  tell(paragraph('Your undo of ', quoted(title), ' got no answer, and its time is over. Open it to see what holds.'));
}

/** Loads the page after the open one, when it is known what was just decided. */
function lookAhead(decided: Promise<ShownEntry | undefined>): Promise<Ahead | undefined> {
  forgetAhead();
  // Without the page after a decision there is no undo.
  const loading = decided.then((decision) => {
    const load = () => loadPage(nextPath(decision));
    return decision === undefined ? load() : insist(load);
  });
  ahead = loading;
  void loading.then((page) => {
    if (ahead !== loading) return;
    loaded = page;
    setOpen([openItem(), page?.id]);
  });
  return loading;
}

function forgetAhead(): void {
  clearTimeout(timer);
  ahead = undefined;
  loaded = undefined;
  setOpen([openItem()]);
}

type Place = Pick<Ahead, 'path' | 'title' | 'list' | 'pane'>;

/** Opens an item. Its list is shown after that is painted: the browser needs longer for the list than for the item. */
function show({ list, pane, path, title }: Place, decided: string | undefined): void {
  const before = partsOf(document);
  before.pane?.replaceWith(pane);
  htmx.process(pane);
  document.title = title;
  // htmx answers a step back only from entries that it knows.
  history.replaceState({ htmx: true }, '');
  history.pushState({ htmx: true }, '', path);
  const open = openItem();
  setOpen([open], decided);
  pane.parentElement?.classList.toggle('opened', open !== undefined);
  markCurrent(open);
  const showList = (): void => {
    if (!pane.isConnected || before.list === null) return;
    if (decided !== undefined) copyMark(decided, before.list, list);
    if (replaceList(before.list, list)) htmx.process(list);
  };
  // Without an open item the focus goes to the list.
  if (open === undefined) showList();
  onShown();
  if (open !== undefined) requestAnimationFrame(() => setTimeout(showList));
}

/** Returns how a refused item is opened again: as it is then, or with what the moderator typed. */
function wayBackTo(pane: HTMLElement): () => void {
  const place = { path: location.pathname + location.search, title: document.title };
  const { list } = partsOf(document);
  const isTyped = [...pane.querySelectorAll('textarea')].some(({ value, defaultValue }) => value !== defaultValue);
  if (!isTyped || list === null) return () => location.assign(place.path);
  return () => {
    // The list is shown as it was when the decision was sent.
    unmark(pane.dataset['item'] ?? '', list);
    show({ ...place, list, pane }, undefined);
    announce();
    lookAheadSoon();
  };
}

function showUndo({ outcome }: Ahead): void {
  const shown = document.getElementById('outcome');
  if (shown === null) return;
  shown.replaceChildren(...outcome.childNodes);
  htmx.process(shown);
  endUndoInTime();
}

/** The server leads from here to the item after the open one. */
function nextPath(decided: ShownEntry | undefined): string {
  const id = openItem();
  const url = new URL(id === undefined ? '/queue' : `/queue/${id}/next`, location.href);
  url.search = location.search;
  return withDone(url, decided && { done: decided.decision, id: decided.id });
}

/** The path of a page that says what was just done. */
function withDone({ pathname, searchParams }: URL, done: Readonly<Record<string, string>> = {}): string {
  for (const [name, value] of Object.entries(done)) searchParams.set(name, value);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

function decisionOf(form: HTMLFormElement, pane: HTMLElement): ShownEntry {
  const title = pane.querySelector('#item-title')?.textContent ?? '';
  const decision = form.querySelector<HTMLInputElement>('[name=decision]')?.value ?? '';
  return { id: pane.dataset['item'] ?? '', decision, title, words: form.dataset['outcome'] ?? '' };
}
