import { openItem } from './server.js';

/** After the server has ended a stream, or gives none. */
const againMs = 10_000;

/**
 * Follows what happens in the queue while somebody looks at it. The windows of a browser share one stream, since browsers
 * open few connections to a server. A hidden page needs none.
 *
 * @param onChange gets what somebody changed.
 */
export function followNews(onChange: (news: News) => void): void {
  const others = new BroadcastChannel('queue-news');
  let arrived = 0;
  const onMessage = async ({ data }: MessageEvent<News | Session>): Promise<void> => {
    if (typeof data === 'string') {
      showEnd(data === 'ended');
      return;
    }
    if (data.from !== '') onChange(data);
    if (isNew(data) && (await isListed(data.id))) arrived++;
    show(data, arrived);
  };
  const tell = (data: News | Session): void => {
    others.postMessage(data);
    void onMessage(new MessageEvent('message', { data }));
  };
  let shown = new AbortController();
  const follow = (): void => {
    shown.abort();
    shown = new AbortController();
    if (!document.hidden) void stream(tell, shown.signal);
  };
  others.addEventListener('message', (event) => void onMessage(event));
  document.addEventListener('visibilitychange', follow);
  document.addEventListener('htmx:afterSettle', () => {
    arrived = 0;
  });
  follow();
}

type Session = 'open' | 'ended';

/** Passes on the news to all windows while no other one does. Pages without TLS have no locks, so each has a stream. */
async function stream(tell: (data: News | Session) => void, signal: AbortSignal): Promise<void> {
  const pass = () => passOn(tell, signal);
  while (!signal.aborted) {
    await (navigator.locks?.request('queue-news', { signal }, pass) ?? pass()).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

/** Ends with the stream. */
function passOn(tell: (data: News | Session) => void, signal: AbortSignal): Promise<void> {
  const source = new EventSource('/queue/events');
  return new Promise((resolve) => {
    const end = (): void => {
      source.close();
      resolve();
    };
    source.addEventListener('message', ({ data }) => tell(JSON.parse(data as string) as News));
    source.addEventListener('open', () => tell('open'));
    source.addEventListener('bye', () => {
      tell('ended');
      end();
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) end();
    });
    signal.addEventListener('abort', end);
  });
}

/** Whether a new item is in the list of this page, which may be filtered. */
async function isListed(id: string): Promise<boolean> {
  if (location.search === '') return true;
  const answer = await fetch(`/queue/${id}/listed${location.search}`).catch(() => undefined);
  return (await answer?.text()) === 'yes';
}

/** What happened to an item. */
export interface News {
  readonly id: string;
  /** The state before; empty for a new one. */
  readonly from: string;
  readonly to: string;
  /** In words: a name, or `its agent`. */
  readonly actor: string;
  /** What ended a held decision before its time; empty for all else. */
  readonly ended: string;
  /** Whether the list shows it at once. */
  readonly isListed: boolean;
}

/** An item that waits anew: it was just sent, or its agent sent a new text. */
function isNew({ from, to }: News): boolean {
  return from === '' || to === 'pending_review';
}

function show(news: News, arrived: number): void {
  const { id, from, actor } = news;
  const line = document.getElementById('news');
  const link = line?.querySelector('a');
  if (arrived > 0 && isNew(news) && line && link) {
    link.textContent = `${arrived} new`;
    line.hidden = false;
  }
  const notice = document.getElementById('changed');
  if (from !== '' && openItem() === id && notice !== null) {
    notice.hidden = false;
    const who = notice.querySelector('bdi');
    if (who !== null) who.textContent = actor;
  }
}

function showEnd(hasEnded: boolean): void {
  const notice = document.getElementById('session-ended');
  if (notice !== null) notice.hidden = !hasEnded;
}
