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
