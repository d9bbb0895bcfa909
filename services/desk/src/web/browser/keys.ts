/** Gives each button and link of the page its key. */
export function startKeys(): void {
  document.addEventListener('keydown', onKey);
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
  // A key that is held down must not decide item after item.
  if (event.repeat && button.tagName !== 'A') return;
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
