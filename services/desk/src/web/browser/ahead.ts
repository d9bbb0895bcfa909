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

/** Loads the page to which the server leads from this path. Undefined if there is none now. */
export async function loadPage(path: string): Promise<Ahead | undefined> {
  try {
    const response = await fetch(path);
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [workspace, outcome] = [page.getElementById('workspace'), page.getElementById('outcome')];
    if (workspace === null || outcome === null) return undefined;
    const url = new URL(response.url);
    withoutDone(url);
    return { path: url.pathname + url.search, title: page.title, workspace, outcome, id: openItem(workspace) };
  } catch {
    return undefined;
  }
}

/** The id of the open item of a page. */
export function openItem(page: ParentNode = document): string | undefined {
  return page.querySelector<HTMLElement>('.item[data-item]')?.dataset['item'];
}

/** Removes from an address what was just done. */
export function withoutDone(url: URL): void {
  url.searchParams.delete('decided');
  url.searchParams.delete('undone');
}
