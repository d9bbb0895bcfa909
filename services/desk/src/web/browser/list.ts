/** Marks the entry of the open item in the list. */
export function markCurrent(open: string | undefined): void {
  document.querySelector('.list [aria-current]')?.removeAttribute('aria-current');
  if (open === undefined) return;
  document.querySelector(`.list a[data-item="${CSS.escape(open)}"]`)?.setAttribute('aria-current', 'true');
}

/** Brings the entry of the open item into view. */
export function showCurrent(): void {
  document.querySelector('.list [aria-current]')?.scrollIntoView({ block: 'nearest' });
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
