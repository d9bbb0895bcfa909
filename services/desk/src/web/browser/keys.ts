/** What had the focus when a key was pressed. */
let before: Element | null = null;

/**
 * Gives each button and link of the page its key.
 *
 * @param onOther gets the keys that no button has now.
 */
export function startKeys(onOther: (key: string) => void): void {
  document.addEventListener('keydown', (event) => onKey(event, onOther));
}

function onKey(event: KeyboardEvent, onOther: (key: string) => void): void {
  const { target, key } = event;
  if (event.altKey || event.metaKey || !(target instanceof HTMLElement)) return;
  // The keys that are shown close by themselves, and what was typed behind them stays open.
  if (key === 'Escape' && document.querySelector(':popover-open') === null) closeAround(target);
  const field = target.closest('input, select, textarea, [contenteditable]');
  if (field !== null) {
    inField(event, field);
    return;
  }
  if (event.ctrlKey) return;
  const button = [...document.querySelectorAll<HTMLElement>('[data-key]')].find(
    (each) =>
      each.dataset['key'] === key &&
      each.checkVisibility() &&
      each.closest('[aria-busy=true], [data-unseen] .decisions') === null,
  );
  if (button === undefined) {
    onOther(key);
    return;
  }
  event.preventDefault();
  // A key that is held down must not decide item after item.
  if (event.repeat && button.tagName !== 'A') return;
  if (document.activeElement !== button) before = document.activeElement;
  button.click();
  const details = button.parentElement;
  if (button.tagName !== 'SUMMARY' || !(details instanceof HTMLDetailsElement)) return;
  // The focus goes to a field, never to a canned reason: the first space of own words would send it.
  const first = details.querySelector<HTMLElement>('textarea, select, input:not([type=hidden])');
  if (details.open && first !== null) first.focus();
  else if (details.open) button.focus();
  else goBack(button);
  if (details.open) details.scrollIntoView({ block: 'nearest' });
}

function inField(event: KeyboardEvent, field: Element): void {
  if (event.key === 'Enter' && event.ctrlKey) {
    event.preventDefault();
    field.closest('form')?.requestSubmit();
  }
  if (event.ctrlKey || event.repeat || !(field instanceof HTMLTextAreaElement) || field.value !== '') return;
  // A digit in an empty field takes the canned reason with this number.
  const canned = field.closest('details')?.querySelector<HTMLElement>(`.canned [data-key="${CSS.escape(event.key)}"]`);
  if (canned === undefined || canned === null) return;
  event.preventDefault();
  canned.click();
}

function closeAround(target: Element): void {
  const details = target.closest('details[open]');
  if (!(details instanceof HTMLDetailsElement)) return;
  details.open = false;
  goBack(details.querySelector('summary'));
}

/** Leads back from what is closed now to where the key was pressed. */
function goBack(summary: HTMLElement | null): void {
  const place = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : summary;
  place?.focus();
}
