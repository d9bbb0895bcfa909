/** A page of the queue that is loaded and not shown yet. */
export interface Ahead {
  readonly path: string;
  readonly title: string;
  readonly workspace: Element;
  /** What was just done, and how to undo it. */
  readonly outcome: Element;
  /** The open item; undefined if nothing waits. */
  readonly id: string | undefined;
}

/** Loads the page of the queue for this path. Undefined if there is none now. */
export async function loadPage(path: string): Promise<Ahead | undefined> {
  try {
    const response = await fetch(path, { headers: { 'hx-request': 'true' } });
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [workspace, outcome] = [page.getElementById('workspace'), page.getElementById('outcome')];
    if (workspace === null || outcome === null) return undefined;
    const own = response.headers.get('hx-push-url') ?? withoutDone(new URL(response.url));
    return { path: own, title: page.title, workspace, outcome, id: openItem(workspace) };
  } catch {
    return undefined;
  }
}

/** The id of the open item of a page. */
export function openItem(page: ParentNode = document): string | undefined {
  return page.querySelector<HTMLElement>('.item[data-item]')?.dataset['item'];
}

/** The path of an address, without what was just done. */
export function withoutDone({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  for (const what of ['decided', 'undone']) query.delete(what);
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}
