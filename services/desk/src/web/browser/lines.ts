/** Moves the lines of a list by buttons and keys without asking the server. The order of the fields is what the form sends. */
export function startLines(list: HTMLElement): void {
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
