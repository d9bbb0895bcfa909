/**
 * Follows what happens in the queue while somebody looks at it. A hidden page needs no connection.
 *
 * @param onChange gets what somebody changed.
 */
export function followNews(onChange: (news: News) => void): void {
  let source: EventSource | undefined;
  let arrived = 0;
  const follow = (): void => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource('/queue/events');
    source.addEventListener('message', ({ data }) => {
      const news = JSON.parse(data as string) as News;
      if (isNew(news)) arrived++;
      if (news.from !== '') onChange(news);
      show(news, arrived);
    });
    source.addEventListener('bye', () => {
      source?.close();
      showEnd(true);
    });
    source.addEventListener('open', () => showEnd(false));
  };
  document.addEventListener('visibilitychange', follow);
  document.addEventListener('htmx:afterSettle', () => {
    arrived = 0;
  });
  follow();
}

/** What happened to an item. */
export interface News {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string;
}

/** An item that waits anew: it was just sent, or its agent sent a new text. */
function isNew({ from, to }: News): boolean {
  return from === '' || to === 'pending_review';
}

function show(news: News, arrived: number): void {
  const { id, from, actor } = news;
  const line = document.getElementById('news');
  const link = line?.querySelector('a');
  if (isNew(news) && line && link) {
    link.textContent = `${arrived} new`;
    line.hidden = false;
  }
  const item = document.querySelector<HTMLElement>('.item[data-item]');
  const notice = document.getElementById('changed');
  if (from !== '' && item?.dataset['item'] === id && notice !== null) {
    notice.hidden = false;
    const who = notice.querySelector('bdi');
    if (who !== null) who.textContent = actor;
  }
}

function showEnd(hasEnded: boolean): void {
  const notice = document.getElementById('session-ended');
  if (notice !== null) notice.hidden = !hasEnded;
}
