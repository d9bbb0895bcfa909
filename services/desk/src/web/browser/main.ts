// What the pages of the web desk do in browsers with scripts. Every page works without them.

import { boundUploads } from './bound-uploads.js';
import { guardDoubleClicks } from './double-clicks.js';
import { tellFailedSends } from './failed-sends.js';
import { keepTyped } from './kept.js';
import { sendLateForms } from './late-form.js';
import { countCharacters } from './lengths.js';
import { startLines } from './lines.js';
import { startQueue } from './queue.js';
import { guardUnsent } from './unsent.js';

/** Puts the focus on the message of a failure or of an outcome, after htmx has put it there. */
document.addEventListener('htmx:afterSwap', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.id !== 'messages') return;
  target.tabIndex = -1;
  target.focus();
});

guardDoubleClicks();
boundUploads();
countCharacters();
sendLateForms();
tellFailedSends();
guardUnsent();
keepTyped();
// Without htmx every form is a usual one.
if (document.getElementById('desk-queue') !== null && 'htmx' in window) startQueue();
for (const list of document.querySelectorAll<HTMLElement>('[data-lines]')) startLines(list);
