import { answerMs } from './send-form.js';

/** A page of the queue that is loaded and not shown yet. */
export interface Ahead {
  readonly path: string;
  readonly title: string;
  readonly list: HTMLElement;
  /** The pane of the open item. */
  readonly pane: HTMLElement;
  /** What was just done, and how to undo it. */
  readonly outcome: Element;
  /** The open item; undefined if nothing waits. */
  readonly id: string | undefined;
}

/** Loads the page of the queue for this path. Undefined if there is none now. */
export async function loadPage(path: string): Promise<Ahead | undefined> {
  try {
    const response = await fetch(path, { headers: { 'hx-request': 'true' }, signal: AbortSignal.timeout(answerMs) });
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const { list, pane } = partsOf(page);
    const outcome = page.getElementById('outcome');
    if (list === null || pane === null || outcome === null) return undefined;
    const own = response.headers.get('hx-push-url') ?? withoutDone(new URL(response.url));
    return { path: own, title: page.title, list, pane, outcome, id: openItem(page) };
  } catch {
    return undefined;
  }
}

/** The list of a page, and the pane beside it. */
export function partsOf(page: Document): Record<'list' | 'pane', HTMLElement | null> {
  return { list: page.querySelector('#workspace > .list'), pane: page.querySelector('#workspace > .item') };
}

/** The id of the open item of a page. */
export function openItem(page: ParentNode = document): string | undefined {
  return page.querySelector<HTMLElement>('.item[data-item]')?.dataset['item'];
}

/** The path of an address, without what was just done. */
export function withoutDone({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  for (const what of ['decided', 'undone', 'left']) query.delete(what);
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
