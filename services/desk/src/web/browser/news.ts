/**
 * Follows what happens in the queue while somebody looks at it. A hidden page needs no connection.
 *
 * @param onChange gets the id of each item that somebody changed.
 */
export function followNews(onChange: (id: string) => void): void {
  let source: EventSource | undefined;
  let arrived = 0;
  const follow = (): void => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource('/queue/events');
    source.addEventListener('message', ({ data }) => {
      const news = JSON.parse(data as string) as News;
      if (news.from === '') arrived++;
      else onChange(news.id);
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

interface News {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string;
}

function show({ id, from, actor }: News, arrived: number): void {
  const line = document.getElementById('news');
  const link = line?.querySelector('a');
  if (from === '' && line && link) {
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
