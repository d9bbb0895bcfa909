import { tellFailedSends } from './messages.js';
import { startQueue } from './queue.js';
import { guardUnsent, keepTyped, sendLateForms } from './unsent.js';

// What the pages of the web desk do in browsers with scripts. Every page works without them.

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

/** Says that chosen files are too many or too large before they are sent. */
function boundUploads(): void {
  document.addEventListener('change', ({ target: input }) => {
    if (!(input instanceof HTMLInputElement) || input.dataset['mostFiles'] === undefined) return;
    const files = [...(input.files ?? [])];
    const [most, mostBytes] = [Number(input.dataset['mostFiles']), Number(input.dataset['mostBytes'])];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const fault =
      files.length > most
        ? `These are ${files.length} files. At most ${most} can be imported at a time.`
        : bytes > mostBytes
          ? `These files have ${(bytes / 1024 / 1024).toFixed(1)} MB together. At most ${mostBytes / 1024 / 1024} MB can be imported at a time.`
          : '';
    input.setCustomValidity(fault);
    input.reportValidity();
  });
}

/** Counts what is typed as the service does: a browser by itself counts some characters twice. */
function countCharacters(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const most = Number(target.dataset['most'] ?? Number.POSITIVE_INFINITY);
    const length = [...target.value].length;
    target.setCustomValidity(length > most ? `At most ${most} characters; it has ${length}.` : '');
  });
}

/** Lets the later clicks of a double click count only on the control of the first. Another may stand in its place. */
function guardDoubleClicks(): void {
  let first: Element | null = null;
  const onClick = (event: MouseEvent): void => {
    const control = event.target instanceof Element ? event.target.closest('a, button, summary') : null;
    if (event.detail < 2) first = control;
    if (control === first) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', onClick, true);
}

/** Moves the lines of a list by buttons and keys without asking the server. The order of the fields is what the form sends. */
function startLines(list: HTMLElement): void {
  const form = list.closest('form');
  for (const hint of form?.querySelectorAll<HTMLElement>('[data-with-script]') ?? []) hint.hidden = false;
  list.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest<HTMLElement>('[data-move=up], [data-move=down]');
    const line = lineAt(button);
    if (button === null || line === undefined) return;
    event.preventDefault();
    move(line, button.dataset['move'] === 'up');
  });
  list.addEventListener('keydown', (event) => {
    const isUp = event.key === 'ArrowUp';
    const line = lineAt(event.target);
    if (!event.altKey || !(isUp || event.key === 'ArrowDown') || line === undefined) return;
    event.preventDefault();
    move(line, isUp);
  });

  function lineAt(inside: EventTarget | null): HTMLElement | undefined {
    const line = inside instanceof Element ? inside.closest('li') : null;
    return line !== null && line.parentElement === list ? line : undefined;
  }

  /** The other line moves around this one, because an element that moves loses the focus. */
  function move(line: HTMLElement, isUp: boolean): void {
    const other = isUp ? line.previousElementSibling : line.nextElementSibling;
    if (other !== null && isUp) line.after(other);
    else if (other !== null) line.before(other);
    line.scrollIntoView({ block: 'nearest' });
    if (form) form.dataset['unsent'] = '';
    const place = [...list.children].indexOf(line) + 1;
    const title = line.dataset['title'] ?? '';
    const moved = form?.querySelector('[data-moved]');
    if (moved) moved.textContent = `${title} is ${place} of ${list.children.length}, not saved yet.`;
  }
}
