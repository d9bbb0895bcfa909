import { openItem, withoutDone } from './ahead.js';
import { lookAheadSoon, reloadAhead, startDecisions, undoEarly } from './decide.js';
import { showChange, showChangedSince } from './decision-marks.js';
import { showKeys, startKeys } from './keys.js';
import { showCurrent } from './list.js';
import { followNews } from './news.js';
import { announce, startPresence } from './presence.js';
import { endUndoInTime } from './undo-time.js';

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
  });
}

/** Puts the focus on the open item, or on the list. Removes from the address what was just done. */
function focusOpen(): void {
  const title = document.getElementById('item-title') ?? document.getElementById('list-title');
  // Who is quick has opened a field of the new item already, and types in it.
  const isTyping = document.activeElement?.matches('#workspace :is(textarea, select, input)');
  if (title !== null && isTyping !== true) {
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
    (title.closest('header') ?? title).scrollIntoView({ block: 'nearest' });
  }
  showCurrent();
  showKeys();
  history.replaceState(history.state, '', withoutDone(new URL(location.href)));
}
